import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, type } from 'node:os'

const require = createRequire(import.meta.url)

function versionOf(name) {
  const roots = require.resolve.paths(name) ?? []
  for (const root of roots) {
    try {
      return JSON.parse(readFileSync(`${root}/${name}/package.json`, 'utf8')).version
    } catch {
      // in the next folder, then
    }
  }
  return 'unknown'
}

const PEERS = ['fastify', 'express', 'koa', 'fastify-healthcheck', '@godaddy/terminus', 'pg']

export const loadAverage = () => loadavg()[0].toFixed(2)

/** Where and when the figures were taken; nothing that names the machine. */
export function conditions(database, loadBefore, seconds) {
  const cores = cpus()
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cores.length} x ${cores[0]?.model.trim()}, ${type()} ${/^[\d.]*/.exec(release())?.[0]}`,
    `PostgreSQL ${database.version} (private), ${PEERS.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `load average ${loadBefore} before and ${loadAverage()} after (1 minute); the run took ${Math.round(seconds)} s`,
  ]
}
