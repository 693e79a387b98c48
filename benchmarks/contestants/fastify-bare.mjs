import { announce, options } from './announce.mjs'
import { openPool } from './open-pool.mjs'
import { ordersFastify } from './orders-fastify.mjs'

await openPool()
const app = ordersFastify()
for (const [path, { headers, body }] of Object.entries(options.answers ?? {})) {
  app.get(path, (_request, reply) => {
    reply.headers(headers).send(body)
  })
}
await app.listen({ host: '127.0.0.1', port: 0 })
await announce(app.server)
