// A service of the built packages with its admin server in the same process. It tells, after a garbage collection, what it holds.
import { createServer } from 'node:http'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'

const health = createHealth({
  databases: { default: { name: 'database', run: () => true } },
  env: {},
})
const admin = await startAdmin({
  health,
  port: 0,
  operatorKey: process.argv[2],
  viewerKey: process.argv[3],
  env: {},
})
const server = createServer(
  healthListener(health, {
    next: (request, response) => {
      if (request.url !== '/held') return response.end('served')
      globalThis.gc()
      const { heapUsed, external, rss } = process.memoryUsage()
      response.end(JSON.stringify({ heap: heapUsed + external, rss }))
    },
  }),
)
server.listen(0, '127.0.0.1', () => {
  console.log(`service on ${server.address().port}, admin on ${new URL(admin.url).port}`)
})
