import { createServer } from 'node:http'
import { announce, options } from './announce.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'

await openPool()
const { answers } = options
const server = createServer((request, response) => {
  const { headers, body } = answers[request.url]
  response.writeHead(200, headers)
  response.end(body)
})
await listen(server)
await announce(server)
