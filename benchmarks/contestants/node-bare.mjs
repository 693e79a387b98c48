import { createServer } from 'node:http'
import { announce, options } from './announce.mjs'
import { answerRaw } from './answer-raw.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'

await openPool()
const { answers } = options
const server = createServer((request, response) => answerRaw(response, answers[request.url]))
await listen(server)
await announce(server)
