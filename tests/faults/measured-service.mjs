// A service of the built packages that tells, after a garbage collection, what it holds. Run with --expose-gc and the URL of a PostgreSQL, a MySQL or a Redis.
import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { mysqlCheck } from '@baldur/health-core/mysql'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import { redisCheck } from '@baldur/health-core/redis'
import Redis from 'ioredis'
import mysql from 'mysql2'
import pg from 'pg'

const url = process.argv[2]
const handled = (emitter) => emitter.on('error', () => undefined)
const checks = {
  'postgres:': () => postgresCheck(handled(new pg.Pool({ connectionString: url, max: 2 }))),
  'mysql:': () => mysqlCheck(mysql.createPool({ uri: url, connectionLimit: 2 })),
  'redis:': () => redisCheck(handled(new Redis(url))),
}
const health = createHealth({
  databases: { default: checks[new URL(url).protocol]() },
  readiness: { cacheTtlMs: 0 },
  env: {},
})

// timers and connections that keep no process alive are in no list of Node's: they are counted as they come and go
const live = { Timeout: new Set(), TCPWRAP: new Set() }
createHook({
  init: (id, type) => live[type]?.add(id),
  destroy: (id) => {
    for (const ids of Object.values(live)) ids.delete(id)
  },
}).enable()

const server = createServer(
  healthListener(health, {
    next: (_request, response) => {
      globalThis.gc()
      globalThis.gc()
      const held = {
        heap: process.memoryUsage().heapUsed,
        timers: live.Timeout.size,
        sockets: live.TCPWRAP.size,
      }
      response.end(JSON.stringify(held))
    },
  }),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
