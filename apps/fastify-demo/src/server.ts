import { setTimeout as wait } from 'node:timers/promises'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { recyclePool } from '@baldur/health-core/heal'
import { postgresCheck } from '@baldur/health-core/postgres'
import { drainOnSignals } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-fastify'
import {
  adminPort,
  announce,
  announceAdmin,
  openDatabase,
  openOrders,
  readAddress,
  readItem,
} from 'demo-orders'
import Fastify from 'fastify'

async function main(): Promise<void> {
  const address = readAddress(process.env, 3002)
  const database = await openDatabase(process.env)
  // with BALDUR_REDIS_URL its processes share what their checks have seen
  const health = createHealth({
    prefix: '/api/baldur',
    databases:
      database === undefined
        ? {}
        : { default: postgresCheck(database.pool, { heal: { run: recyclePool(database.pool) } }) },
  })
  const orders = openOrders(database)

  const app = Fastify()
  await app.register(baldurHealth, { health, drain: true })

  // the database's errors are the ones without a status
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    error.statusCode === undefined
      ? reply.code(503).send({ error: 'the orders are not available' })
      : reply.code(error.statusCode).send({ error: error.message }),
  )
  app.get('/', () => ({ service: 'orders', health: `${health.prefix}/health` }))
  app.get('/orders', () => orders.list())
  app.post('/orders', async ({ body }, reply) => reply.code(201).send(await orders.add(readItem(body))))

  const querystring = {
    type: 'object',
    properties: { ms: { type: 'integer', minimum: 0, maximum: 60_000, default: 1_000 } },
  }
  app.get<{ Querystring: { ms: number } }>('/slow', { schema: { querystring } }, async ({ query }) => {
    await wait(query.ms)
    return { waited_ms: query.ms }
  })

  const params = { type: 'object', properties: { code: { type: 'integer', minimum: 200, maximum: 599 } } }
  app.get<{ Params: { code: number } }>(
    '/status/:code',
    { schema: { params } },
    ({ params: { code } }, reply) => reply.code(code).send({ status: code }),
  )

  app.drain.onShutdown('health', () => health.close())
  app.drain.onShutdown('database', () => database?.close())
  drainOnSignals(app.drain)
  // before the orders: whoever waits for `listening` finds both
  await announceAdmin(startAdmin({ health, drain: app.drain, port: adminPort(process.env, 9102) }))
  await app.listen(address)
  announce(app.server, address.host, `${health.prefix}/health`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
