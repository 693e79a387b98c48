import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-koa'
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })

const app = new Koa()
app.use(baldurHealth({ health })) // first: before auth, rate limits and body parsers
app.use((ctx) => {
  ctx.body = 'hello'
})
const server = app.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
)
