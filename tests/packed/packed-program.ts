import { spawnApp } from 'health-testkit'
import { expect } from 'vitest'
import type { PackedProject } from './packed-project.ts'

/** How long something may hold the process after its last line; what closes by itself takes milliseconds. */
const HELD_MS = 5_000

/** The same program for both module systems: a service of each framework, asked once. Its arguments are the addresses of PostgreSQL and, both or neither, of MariaDB and Redis. */
const program = (load: (name: string, from: string) => string): string => `
${load('Fastify', 'fastify')}
${load('express', 'express')}
${load('Koa', 'koa')}
${load('pg', 'pg')}
${load('mysql', 'mysql2')}
${load('{ createClient }', 'redis')}
${load('{ createServer }', 'node:http')}
${load('{ createHealth, HealthConfigError }', '@baldur/health-core')}
${load('{ attachHealth, healthListener, writeAnswer }', '@baldur/health-core/node')}
${load('{ mysqlCheck }', '@baldur/health-core/mysql')}
${load('{ postgresCheck }', '@baldur/health-core/postgres')}
${load('{ diskCheck }', '@baldur/health-core/disk')}
${load('{ eventLoopCheck }', '@baldur/health-core/event-loop')}
${load('{ recyclePool, reconnectRedis }', '@baldur/health-core/heal')}
${load('{ httpCheck }', '@baldur/health-core/http')}
${load('{ memoryCheck }', '@baldur/health-core/memory')}
${load('{ tcpCheck }', '@baldur/health-core/tcp')}
${load('{ redisCheck }', '@baldur/health-core/redis')}
${load('{ createMetrics }', '@baldur/health-admin')}
${load('{ instrumentHealth }', '@baldur/health-admin/open-telemetry')}
${load('{ createDrain, drainOnSignals }', '@baldur/health-drain')}
${load('{ serveRunner, startRunners }', '@baldur/health-runner')}
${load('{ baldurHealth as forExpress, drainMiddleware }', '@baldur/health-express')}
${load('{ baldurHealth as forFastify }', '@baldur/health-fastify')}
${load('{ baldurHealth as forKoa }', '@baldur/health-koa')}
const open = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const ask = async (server, path) => {
  const url = 'http://127.0.0.1:' + server.address().port + path
  const ready = await fetch(url)
  console.log(ready.status, await ready.text())
  const post = await fetch(url, { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } })
  console.log(post.status)
}
async function main() {
  if (![HealthConfigError, healthListener, writeAnswer, drainOnSignals, drainMiddleware, recyclePool, reconnectRedis, createMetrics, instrumentHealth, startRunners].every((it) => typeof it === 'function')) throw new Error('an export is missing')
  const pool = new pg.Pool({ connectionString: process.argv[2] })
  const around = createServer((_request, response) => response.end())
  await open(around)
  const { port } = around.address()
  const built = [diskCheck('.', { minFreePercent: 0 }), eventLoopCheck(), httpCheck('http://localhost:' + port), memoryCheck(), tcpCheck('localhost', port)]
  const others = createHealth({ env: {}, checks: built })
  const { status, checks } = await others.verdict()
  if (status !== 'healthy' || Object.keys(checks).length !== 5) throw new Error(JSON.stringify(checks))
  await others.close()
  await new Promise((resolve) => around.close(resolve))
  const databases = { default: postgresCheck(pool), second: postgresCheck(process.argv[2]) }
  const client = createClient({ url: process.argv[4] })
  client.on('error', console.error)
  if (process.argv[4] !== undefined) {
    await client.connect()
    databases.mysql = mysqlCheck(mysql.createPool(process.argv[3]))
    databases.redis = redisCheck(client)
  }
  const health = createHealth({ databases })
  const fastify = Fastify()
  await fastify.register(forFastify, { health, drain: true })
  await fastify.ready()
  if (fastify.drain.phase !== 'starting') throw new Error('no drain was decorated')
  createDrain({ server: fastify.server, health }).close()
  const servers = [
    fastify.server,
    createServer(express().use(forExpress({ health }))),
    createServer(new Koa().use(forKoa({ health })).callback()),
    createServer(new Koa().use(forKoa({ health }).router.routes()).callback()),
    createServer(healthListener(health)),
    createServer(),
  ]
  attachHealth(servers.at(-1), health)
  for (const server of servers) {
    await open(server)
    await ask(server, '/health/ready')
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  const runner = await serveRunner({ listener: (_request, response) => response.end('runner'), port: 0, exit: false })
  if ((await (await fetch(runner.url)).text()) !== 'runner') throw new Error('no runner answers')
  await runner.close()
  if (client.isOpen) await client.disconnect()
  console.log('closed', ...new Set(process.getActiveResourcesInfo()))
  setTimeout(() => {
    console.log('held by', ...process.getActiveResourcesInfo())
    process.exit(1)
  }, ${HELD_MS}).unref()
}
main()
`
const WITH = {
  import: { file: 'main.mjs', text: program((names, from) => `import ${names} from '${from}'`) },
  require: {
    file: 'main.cjs',
    text: program((names, from) => `const ${names.replace(' as ', ': ')} = require('${from}')`),
  },
}

/** What may be open right after the last close, since it ends by itself: stdout, sockets that are closing, callbacks of this turn. A timer or a server would be ours. */
const CLOSING = ['PipeWrap', 'TCPSocketWrap', 'CloseReq', 'Immediate']

/** Runs the program: each of its services is ready, and nothing of ours keeps the process alive once all is closed. */
export async function expectServices(
  project: PackedProject,
  how: keyof typeof WITH,
  ...addresses: readonly string[]
): Promise<void> {
  const { file, text } = WITH[how]
  const path = await project.write(file, text)
  const app = await spawnApp({ args: [path, ...addresses], cwd: project.dir })
  const { code } = await app.exited
  const names = ['default', 'second', 'mysql', 'redis'].slice(0, addresses.length === 1 ? 2 : 4)
  const checks = Object.fromEntries(names.map((name) => [`database_${name}`, 'ready']))
  const ready = `200 ${JSON.stringify({ status: 'ready', checks })}`
  const closed = app.lines.findIndex((line) => line.startsWith('closed'))
  const [told, rest] = [app.lines.slice(0, closed), app.lines.slice(closed + 1)]
  expect({ code, stderr: app.stderr, told, rest }).toEqual({
    code: 0,
    stderr: [],
    told: Array.from({ length: 6 }, () => [ready, '405']).flat(),
    // a line here names what held the process
    rest: [],
  })
  const [, ...open] = app.lines[closed]?.split(' ') ?? []
  expect(open.filter((kind) => !CLOSING.includes(kind))).toEqual([])
}
