import { setTimeout as wait } from 'node:timers/promises'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const drain = createDrain() // no server: what is tracked is waited for
drain.onShutdown('queue', () => console.log('queue closed'))
drainOnSignals(drain)

console.log('working')
for (let job = 1; !drain.signal.aborted; job++) {
  await drain.track(wait(200), `job ${job}`) // a job that is under way ends before the hooks run
}
console.log('no more work')
