// A script of the built packages that closes what it opened: its server alone, or (argument: everything) all of it, twice.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const all = () => Object.fromEntries(process.eventNames().map((name) => [name, process.listenerCount(name)]))
const before = all()

const health = createHealth({
  env: {},
  checks: [{ name: 'x', run: () => true }],
  verdict: { refreshIntervalMs: 1_000 },
})
const server = createServer(healthListener(health))
const drain = createDrain({ server, health, env: {} })
const off = drainOnSignals(drain, { fatal: true })
await once(server.listen(0, '127.0.0.1'), 'listening')
const [answer] = await once(get({ port: server.address().port, path: '/health', agent: false }), 'response')
await once(answer.resume(), 'end')

const at = performance.now()
if (process.argv[2] === 'everything') {
  for (const close of [off, drain.close, off, drain.close]) close()
  await health.close()
  await health.close()
  console.log(JSON.stringify({ before, after: all() }))
}
server.close()
process.on('exit', () =>
  console.log(`answered ${answer.statusCode}, exits after ${Math.round(performance.now() - at)} ms`),
)
