// A worker with no server. Argument, as JSON: jobs (label, duration, and whether it fails), whether it has a health, options of the drain. It takes a small
// job every 50 ms until the drain begins.
import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const { jobs = [], drain: options, poll = false, hasHealth = false } = JSON.parse(process.argv[2] ?? '{}')
const drain = createDrain({ ...(hasHealth && { health: createHealth({ env: {} }) }), ...options })
drain.onShutdown('connection', () => console.log('hook connection'))
drainOnSignals(drain)

for (const [label, ms, fails] of jobs) {
  const end = () => {
    if (fails) throw new Error('no such file')
    console.log(`did ${label}`)
  }
  void drain.track(wait(ms).then(end), label)
}
let taken = 0
const take = () => {
  if (drain.signal.aborted) console.log('took one more')
  taken += 1
  if (poll) void drain.track(wait(10), 'a small job')
}
const taking = setInterval(take, 50)
drain.signal.addEventListener('abort', () => {
  clearInterval(taking)
  console.log(`drains, phase ${drain.phase}, took ${taken > 0 ? 'some' : 'none'}`)
})
process.on('exit', (code) => console.log(`exit ${code}`))
console.log('working')
