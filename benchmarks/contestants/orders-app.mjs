import Fastify from 'fastify'

const ORDERS = [
  { id: 1, item: 'lamp' },
  { id: 2, item: 'chair' },
]

/** A Fastify app with one route of its own: the ordinary traffic. */
export function ordersApp() {
  const app = Fastify()
  app.get('/orders', () => ({ orders: ORDERS }))
  return app
}
