import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-express'
import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })

const app = express()
app.use(baldurHealth({ health })) // first: before auth, rate limits and body parsers
app.get('/', (_request, response) => response.send('hello'))
const server = app.listen(Number(process.env.PORT ?? 3000), (error) => {
  if (error) throw error
  console.log(`http://localhost:${server.address().port}`)
})
