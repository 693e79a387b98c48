// One process of a service of the built packages, which tells how often its check has run. Run with a DSN and the hours
// by which its clocks are wrong; the rest is BALDUR_* variables.
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'

const [dsn, hours = '0'] = process.argv.slice(2)
const wrongMs = Number(hours) * 3_600_000
const clock = {
  now: () => performance.now() + 1e9 + wrongMs,
  wall: () => Date.now() + wrongMs,
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms).unref()
    return () => clearTimeout(timer)
  },
}
const health = createHealth({ databases: { default: postgresCheck(dsn) }, clock })
let runs = 0
health.on('check', () => {
  runs += 1
})
const server = createServer(
  healthListener(health, {
    next: (_request, response) => response.end(JSON.stringify({ runs, history: health.history })),
  }),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
