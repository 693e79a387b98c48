import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { minimalEnv } from 'health-testkit'
import { quantile } from '../figures.mjs'

const program = (path) => fileURLToPath(new URL(path, import.meta.url))
const OURS = program('../../packages/health-admin/dist/healthcheck.js')
const BY_NET = program('../contestants/healthcheck-net.mjs')
const ROOT = program('../../')

async function answering(status, host) {
  const server = createServer((_request, response) => response.writeHead(status).end('{"status":"alive"}'))
  await once(server.listen(0, host), 'listening')
  return server
}

/** A process from its start to its exit, in milliseconds. */
async function run([command, ...args], expected) {
  const beganAt = performance.now()
  const child = spawn(command, args, { cwd: ROOT, env: minimalEnv(), stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  const ms = performance.now() - beganAt
  if (code !== expected) throw new Error(`${args.join(' ')} exited with ${code}`)
  return ms
}

/** How long a health check takes from the start of its process to its exit, in turns with a Node that does nothing. */
export async function startUp({ runs }, tell) {
  tell('start of the HEALTHCHECK program')
  const [alive, ill, six] = [await answering(200), await answering(503), await answering(200, '::1')]
  const node = process.execPath
  const at = (server) => ['--port', String(server.address().port)]
  const contestants = [
    { title: '`node -e 0`', line: [node, '-e', '0'], code: 0 },
    { title: 'ours: 200', line: [node, OURS, ...at(alive)], code: 0 },
    { title: 'ours: 200 on ::1 alone', line: [node, OURS, ...at(six)], code: 0 },
    { title: 'ours: 503 on both addresses', line: [node, OURS, ...at(ill)], code: 1 },
    { title: 'a few lines on `node:net`', line: [node, BY_NET, String(alive.address().port)], code: 0 },
    // seconds each: a few will do
    {
      title: 'ours by `npx -c`, 5 of them',
      most: 5,
      line: ['npx', '-c', `node "${OURS}" ${at(alive).join(' ')}`],
      code: 0,
    },
  ].map((contestant) => ({ ...contestant, times: [] }))
  try {
    for (let i = 0; i < runs; i++)
      for (const { line, code, times, most = runs } of contestants)
        if (times.length < most) times.push(await run(line, code))
  } finally {
    for (const server of [alive, ill, six]) server.close()
  }
  return contestants.map(({ title, code, times }) => ({
    ...{ title, code, median: quantile(times, 0.5), most: Math.max(...times) },
    over: quantile(times, 0.5) - quantile(contestants[0].times, 0.5),
  }))
}
