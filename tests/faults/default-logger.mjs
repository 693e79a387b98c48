// A service with the default logger that has something to report all the time. Prints "alive" after ten reports, then what is
// written once standard error works again, and ends by itself.
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

let isUsable = true
const health = createHealth({
  env: {},
  checks: [{ name: 'db', run: () => isUsable }],
  readiness: { cacheTtlMs: 0 },
  watchdog: false,
})
const drain = createDrain({ health, shutdownDelayMs: 0, env: {} })
drainOnSignals(drain, { fatal: true })
for (let i = 0; i < 20; i += 1) {
  await health.readiness()
  await new Promise((resolve) => setTimeout(resolve, 10))
  isUsable = !isUsable
}
console.log('alive')
if (process.argv[2] === 'fatal') throw new Error('a fault of the app')
await drain.start('end')
