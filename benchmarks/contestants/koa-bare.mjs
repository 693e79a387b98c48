import { announce, options } from './announce.mjs'
import { answerRaw } from './answer-raw.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'
import { ordersKoa } from './orders-koa.mjs'

await openPool()
const server = ordersKoa((app) => {
  for (const [path, answer] of Object.entries(options.answers ?? {})) {
    app.use((ctx, next) => {
      if (ctx.path !== path) return next()
      // `ctx.body` could say the same bytes and would cost more, which would flatter ours
      answerRaw(ctx.res, answer)
    })
  }
})
await listen(server)
await announce(server)
