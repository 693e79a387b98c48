import { createHealth } from '@baldur/health-core'

const jobs = Array.from({ length: 20 }) // a queue that nobody works on
let connection // and one that broke
const mail = {
  name: 'mail',
  critical: false,
  run: () => connection === 'open',
  heal: {
    afterFailures: 1,
    run: () => {
      connection = 'open'
    },
  },
}
const health = createHealth({
  checks: [mail, { name: 'app', run: () => true }],
  watchdog: {
    components: { queue: () => (jobs.length > 10 ? 'degraded' : 'healthy') },
    onEscalate: ({ kind, component, status }) => console.log(kind, component, status), // after 180 s
  },
})
health.on('heal', ({ name, kind }) => console.log(name, kind))
const looked = new Promise((resolve) => health.on('watchdog', resolve))
const alive = setInterval(() => undefined, 1_000) // nothing of ours keeps a script alive

await health.verdict()
const { components } = await looked
const { status, causes } = await health.verdict({ nocache: true })
console.log(components.queue, status, causes)
clearInterval(alive)
await health.close()
