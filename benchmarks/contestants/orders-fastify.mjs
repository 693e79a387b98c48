import Fastify from 'fastify'
import { ORDERS } from './orders.mjs'

/** A Fastify app with one route of its own. */
export function ordersFastify() {
  const app = Fastify()
  app.get('/orders', () => ORDERS)
  return app
}
