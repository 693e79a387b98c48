import { createHealth } from '@baldur/health-core'
import { attachHealth } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import express from 'express'

const health = createHealth({ databases: { default: postgresCheck(process.env.DATABASE_URL) } })

const app = express()
app.use((_request, response) => response.sendStatus(401)) // whatever stands in the way
const server = app.listen(Number(process.env.PORT ?? 3000), (error) => {
  if (error) throw error
  console.log(`http://localhost:${server.address().port}`)
})
attachHealth(server, health) // answers before Express sees the request
