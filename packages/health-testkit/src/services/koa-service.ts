import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyParser } from '@koa/bodyparser'
import Koa, { type Context } from 'koa'
import compress from 'koa-compress'
import ratelimit from 'koa-ratelimit'
import {
  BAIT,
  httpError,
  type Late,
  listen,
  OPEN,
  pieces,
  type Service,
  type ServiceParts,
  SLOW_MS,
} from './service.ts'

async function openRoute(ctx: Context, late: Late): Promise<void> {
  const { way, code } = OPEN.exec(ctx.path)?.groups ?? {}
  const status = Number(code)
  if (way === 'throw') throw httpError(status)
  if (way === 'slow') await wait(SLOW_MS)
  ctx.status = status
  if (way === 'late') {
    late.waiting += 1
    await once(ctx.res, 'close')
    late.answered += 1
    ctx.body = 'nobody reads this'
  } else if (way === 'events') {
    ctx.type = 'text/event-stream'
    ctx.body = Readable.from(
      (async function* () {
        yield 'data: 1\n\n'
        await once(ctx.res, 'close')
      })(),
    )
  } else {
    ctx.body = way === 'status' || way === 'slow' ? { status } : Readable.from(pieces(way === 'break'))
  }
}

/** A Koa app as services have them: an error handler of its own, compression, a rate limit, a body parser, an auth layer that rejects, and a catch-all. */
export function koaService({ mount, attach }: ServiceParts<Koa>): Promise<Service> {
  const app = new Koa()
  app.silent = true
  const late: Late = { waiting: 0, answered: 0 }
  mount?.(app)
  app.use((ctx, next) => {
    ctx.set(BAIT)
    return next()
  })
  app.use(compress({ threshold: 0 }))
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      ctx.status = (error as { status?: number }).status ?? 500
      ctx.body = 'mine'
    }
  })
  app.use((ctx, next) => (OPEN.test(ctx.path) ? openRoute(ctx, late) : next()))
  app.use(ratelimit({ driver: 'memory', db: new Map(), duration: 60_000, max: 1 }))
  app.use(bodyParser())
  app.use((ctx) => {
    ctx.status = 401
    ctx.body = { error: 'who are you?' }
  })
  app.use((ctx) => {
    ctx.body = 'catch-all'
  })
  const server = createServer(app.callback())
  attach?.(server)
  return listen(server, late)
}
