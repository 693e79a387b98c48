import healthcheck from 'fastify-healthcheck'
import { announce } from './announce.mjs'
import { openPool } from './open-pool.mjs'
import { ordersFastify } from './orders-fastify.mjs'

await openPool()
const app = ordersFastify()
await app.register(healthcheck, { healthcheckUrl: '/healthz' })
await app.listen({ host: '127.0.0.1', port: 0 })
await announce(app.server)
