import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { recyclePool } from '@baldur/health-core/heal'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-express'
import {
  adminPort,
  announceAdmin,
  listen,
  openDatabase,
  openOrders,
  readAddress,
  readInt,
  readItem,
} from 'demo-orders'
import express, { type ErrorRequestHandler } from 'express'

async function main(): Promise<void> {
  const address = readAddress(process.env, 3001)
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

  const app = express()
  app.use(baldurHealth({ health }))
  app.use(express.json())

  app.get('/', (_request, response) => {
    response.json({ service: 'orders', health: `${health.prefix}/health` })
  })
  app.get('/orders', async (_request, response) => {
    response.json(await orders.list())
  })
  app.post('/orders', async (request, response) => {
    response.status(201).json(await orders.add(readItem(request.body)))
  })
  app.get('/slow', async (request, response) => {
    const ms = readInt('ms', request.query.ms ?? '1000', 0, 60_000)
    await wait(ms)
    response.json({ waited_ms: ms })
  })
  app.get('/status/:code', (request, response) => {
    const code = readInt('code', request.params.code, 200, 599)
    response.status(code).json({ status: code })
  })
  // four parameters make it the error handler; the database's errors are the ones without a status
  const answerError: ErrorRequestHandler = (
    error: Error & { status?: number },
    _request,
    response,
    _next,
  ) => {
    if (error.status === undefined) response.status(503).json({ error: 'the orders are not available' })
    else response.status(error.status).json({ error: error.message })
  }
  app.use(answerError)

  const server = createServer(app)
  const drain = createDrain({ server, health })
  drain.onShutdown('health', () => health.close())
  drain.onShutdown('database', () => database?.close())
  drainOnSignals(drain)
  // before the orders: whoever waits for `listening` finds both
  await announceAdmin(startAdmin({ health, drain, port: adminPort(process.env, 9101) }))
  await listen(server, address, `${health.prefix}/health`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
