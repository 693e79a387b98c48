import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-express'
import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })

const app = express()
app.use(baldurHealth({ health }))
app.get('/', (_request, response) => response.send('hello'))
const server = createServer(app)

const drain = createDrain({ server, health }) // before it listens
drain.onShutdown('health', () => health.close())
drain.onShutdown('database', () => pool.end())
drainOnSignals(drain) // SIGTERM, SIGINT; ends with process.exit

server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
