// A service of the built packages that tells, after a garbage collection, what it holds. Run with --expose-gc and a DSN.
import { createHook } from 'node:async_hooks'
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 2 })
pool.on('error', () => undefined)
const health = createHealth({
  databases: { default: postgresCheck(pool) },
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
