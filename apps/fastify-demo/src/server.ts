import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-fastify'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { memoryOrders, postgresOrders, readItem } from './orders.ts'

async function main(): Promise<void> {
  const { HOST: host = '127.0.0.1', PORT: port = '3002' } = process.env
  const database = await openDatabase(process.env)
  const health = createHealth({
    prefix: '/api/baldur',
    databases: database === undefined ? {} : { default: postgresCheck(database.pool) },
  })
  const orders = database === undefined ? memoryOrders() : postgresOrders(database.pool)

  const app = Fastify()
  await app.register(baldurHealth, { health })

  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    error.statusCode === undefined
      ? reply.code(503).send({ error: 'the orders are not available' })
      : reply.code(error.statusCode).send({ error: error.message }),
  )
  app.get('/', () => ({ service: 'orders', health: `${health.prefix}/health` }))
  app.get('/orders', () => orders.list())

  app.post('/orders', async ({ body }, reply) => {
    const wanted = readItem(body)
    if ('error' in wanted) return reply.code(400).send(wanted)
    return reply.code(201).send(await orders.add(wanted.item))
  })

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

  // what the drain will do: running requests end, then every connection is closed, and the exit follows
  const running = new Set<unknown>()
  app.addHook('onRequest', async (request) => {
    running.add(request)
  })
  app.addHook('onResponse', async (request) => {
    running.delete(request)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (health.phase === 'draining') reply.header('connection', 'close')
  })
  const stop = async (): Promise<void> => {
    const drain = health.beginDrain()
    const closing = app.close()
    for (let waitedMs = 0; running.size > 0 && waitedMs < 20_000; waitedMs += 20) await wait(20)
    await wait(50)
    app.server.closeAllConnections()
    await closing
    drain.terminating()
    await health.close()
    // a database that does not answer must not hold up the exit
    await Promise.race([database?.close(), wait(3_000, undefined, { ref: false })])
    process.exit(0)
  }
  let stoppedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // process groups repeat signals: a second one counts after a second
      if (stoppedAt !== undefined && performance.now() - stoppedAt > 1_000)
        process.exit(128 + constants.signals[signal])
      if (stoppedAt !== undefined) return
      stoppedAt = performance.now()
      void stop()
    })
  }

  const url = await app.listen({ host, port: Number(port) })
  console.log(`listening on ${url}`)
  console.log(`health at ${url}${health.prefix}/health, Ctrl-C ends it`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
