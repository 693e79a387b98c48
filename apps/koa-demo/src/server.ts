import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { recyclePool } from '@baldur/health-core/heal'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-koa'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
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
import Koa from 'koa'

async function main(): Promise<void> {
  const address = readAddress(process.env, 3003)
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

  const router = new Router()
  router.get('/', (ctx) => {
    ctx.body = { service: 'orders', health: `${health.prefix}/health` }
  })
  router.get('/orders', async (ctx) => {
    ctx.body = await orders.list()
  })
  router.post('/orders', async (ctx) => {
    ctx.body = await orders.add(readItem(ctx.request.body))
    ctx.status = 201
  })
  router.get('/slow', async (ctx) => {
    const ms = readInt('ms', ctx.query.ms ?? '1000', 0, 60_000)
    await wait(ms)
    ctx.body = { waited_ms: ms }
  })
  router.get('/status/:code', (ctx) => {
    const code = readInt('code', ctx.params.code, 200, 599)
    ctx.status = code
    ctx.body = { status: code }
  })

  const app = new Koa()
  // a client that hangs up would print a stack; every other error is answered below
  app.silent = true
  app.use(baldurHealth({ health }))
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // the database's errors are the ones without a status
      const { status, message } = error as Error & { status?: number }
      ctx.status = status ?? 503
      ctx.body = { error: status === undefined ? 'the orders are not available' : message }
    }
  })
  // a body that is no gzip is the client's error too, and comes without a status
  app.use(bodyParser({ enableTypes: ['json'], onError: (error, ctx) => ctx.throw(400, error) }))
  app.use(router.routes())

  const server = createServer(app.callback())
  const drain = createDrain({ server, health })
  drain.onShutdown('health', () => health.close())
  drain.onShutdown('database', () => database?.close())
  drainOnSignals(drain)
  // before the orders: whoever waits for `listening` finds both
  await announceAdmin(startAdmin({ health, drain, port: adminPort(process.env, 9103) }))
  await listen(server, address, `${health.prefix}/health`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
