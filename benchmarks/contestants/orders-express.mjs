import { createServer } from 'node:http'
import express from 'express'
import { ORDERS } from './orders.mjs'

/** An Express app with one route of its own. What `mountFirst` adds comes before it, since Express goes by order. */
export function ordersExpress(mountFirst) {
  const app = express()
  mountFirst(app)
  app.get('/orders', (_request, response) => {
    response.json(ORDERS)
  })
  return createServer(app)
}
