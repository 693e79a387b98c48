import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'

const health = createHealth({ databases: { default: postgresCheck(process.env.DATABASE_URL) } })
const app = (_request, response) => response.end('hello')

const server = createServer(healthListener(health, { next: app }))
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
