import { announce } from './announce.mjs'
import { openPool } from './open-pool.mjs'
import { ordersFastify } from './orders-fastify.mjs'

const pool = await openPool()
const app = ordersFastify()
app.get('/health/ready', async (_request, reply) => {
  try {
    await pool.query('SELECT 1')
    return { status: 'ready' }
  } catch {
    return reply.code(503).send({ status: 'not_ready' })
  }
})
await app.listen({ host: '127.0.0.1', port: 0 })
await announce(app.server)
