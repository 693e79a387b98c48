import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-fastify'
import { announce } from './announce.mjs'
import { openPool } from './open-pool.mjs'
import { ordersApp } from './orders-app.mjs'

const pool = await openPool()
const app = ordersApp()
await app.register(baldurHealth, { env: {}, databases: { default: postgresCheck(pool) } })
await app.listen({ host: '127.0.0.1', port: 0 })
await announce(app.server)
