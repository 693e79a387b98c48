import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { mysqlCheck } from '@baldur/health-core/mysql'
import { healthListener } from '@baldur/health-core/node'
import { redisCheck } from '@baldur/health-core/redis'
import Redis from 'ioredis'
import mysql from 'mysql2/promise'

const pool = mysql.createPool(process.env.DATABASE_URL)
const cache = new Redis(process.env.REDIS_URL)
cache.on('error', (error) => console.error(`cache: ${error.message}`))

const health = createHealth({
  databases: { default: mysqlCheck(pool) },
  checks: [redisCheck(cache, { critical: false })], // without its cache the service is slow, not out
})
const app = (_request, response) => response.end('hello')

const server = createServer(healthListener(health, { next: app }))
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
