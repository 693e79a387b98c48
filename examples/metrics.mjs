import { createServer } from 'node:http'
import { createMetrics } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { Counter, Registry } from 'prom-client'

const health = createHealth({ databases: { default: postgresCheck(process.env.DATABASE_URL) } })
const registry = new Registry()
const orders = new Counter({ name: 'orders_total', help: 'Orders taken', registers: [registry] })
createMetrics({ health, registry }) // whenever the registry is scraped, ours are collected

const server = createServer(async (request, response) => {
  if (request.url === '/metrics') {
    response.setHeader('content-type', registry.contentType)
    return response.end(await registry.metrics())
  }
  orders.inc()
  return response.end('hello')
})
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
