import { createServer } from 'node:http'
import { createTerminus } from '@godaddy/terminus'
import { announce } from './announce.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'

const pool = await openPool()
const server = createServer((_request, response) => {
  response.writeHead(404)
  response.end()
})
createTerminus(server, {
  healthChecks: {
    '/healthz': async () => {},
    // what a check returns is shown in the answer
    '/health/ready': () => pool.query('SELECT 1').then(() => undefined),
  },
})
await listen(server)
await announce(server)
