import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { serveRunner } from '@baldur/health-runner'
import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })

const app = express()
app.get('/', (_request, response) => response.send('hello'))
app.post('/report', (_request, response) => response.send('written'))

const { url } = await serveRunner({
  app,
  health,
  setup: () => pool.query('SELECT 1'), // the app sees no request before it has ended
  teardown: () => Promise.all([health.close(), pool.end()]), // after the last one
})
console.log(url)
