// A service of the built packages that tells, after a garbage collection, what it holds. Run with --expose-gc and a DSN.
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

function count(names) {
  const counts = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const server = createServer(
  healthListener(health, {
    next: (_request, response) => {
      globalThis.gc()
      globalThis.gc()
      const held = {
        heap: process.memoryUsage().heapUsed,
        resources: count(process.getActiveResourcesInfo()),
      }
      response.end(JSON.stringify(held))
    },
  }),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
