import { baldurHealth } from '@baldur/health-fastify'
import { announce, options } from './announce.mjs'
import { openHealth } from './open-health.mjs'
import { ordersFastify } from './orders-fastify.mjs'

const health = await openHealth()
const app = ordersFastify()
await app.register(baldurHealth, { health, observe: options.observe })
await app.listen({ host: '127.0.0.1', port: 0 })
await announce(app.server)
