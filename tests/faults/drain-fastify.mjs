// A Fastify app with the drain of the plugin. Arguments: forceCloseConnections, and the host.
import { setTimeout as wait } from 'node:timers/promises'
import { drainOnSignals } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-fastify'
import Fastify from 'fastify'

const [force, host = '127.0.0.1'] = process.argv.slice(2)
const forces = { unset: {}, idle: { forceCloseConnections: 'idle' }, true: { forceCloseConnections: true } }
const app = Fastify(forces[force])
await app.register(baldurHealth, { checks: [{ name: 'x', run: () => true }], drain: true })

app.get('/', () => 'hello')
app.get('/slow', async ({ query }) => {
  await wait(Number(query.ms))
  return `waited ${query.ms}`
})
app.addHook('onResponse', async ({ url }) => console.log(`answered ${url}`))
app.addHook('onClose', async () => console.log('onClose'))
app.drain.onShutdown('pool', () => console.log('hook pool'))
app.drain.signal.addEventListener('abort', () => console.log('drains'))
drainOnSignals(app.drain)
process.on('exit', (code) => console.log(`exit ${code}`))
await app.listen({ port: 0, host })
console.log(`listening on ${app.server.address().port}`)
