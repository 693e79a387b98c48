import { drainOnSignals } from '@baldur/health-drain'
import { startRunners } from '@baldur/health-runner'

const runners = await startRunners({
  command: 'runner.mjs', // or ['python3', 'serve.py']: whatever opens PORT
  runners: 2,
  port: Number(process.env.PORT ?? 8080),
  requestTimeoutMs: 30_000,
  healthCheck: { path: '/health/live' },
})
runners.on('runner', ({ name, to, reason }) => {
  console.log(`runner ${name}: ${to}${reason === undefined ? '' : `, ${reason}`}`)
})
drainOnSignals(runners.drain)
console.log(runners.url)
