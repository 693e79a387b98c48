import { createServer } from 'node:http'
import Koa from 'koa'
import { ORDERS } from './orders.mjs'

/** A Koa app with one path of its own. What `mountFirst` adds comes before it, since Koa goes by order. */
export function ordersKoa(mountFirst) {
  const app = new Koa()
  mountFirst(app)
  app.use((ctx) => {
    if (ctx.path === '/orders') ctx.body = ORDERS
  })
  return createServer(app.callback())
}
