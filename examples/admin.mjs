import { createServer } from 'node:http'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })
const server = createServer(healthListener(health))
const drain = createDrain({ server, health })
drain.onShutdown('health', () => health.close())
drain.onShutdown('database', () => pool.end())
drainOnSignals(drain)

const admin = await startAdmin({ health, drain }) // BALDUR_ADMIN_BIND, BALDUR_ADMIN_PORT, BALDUR_ADMIN_KEY
console.log(`admin on ${admin.url}`) // http://127.0.0.1:9090: open it in a browser
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
