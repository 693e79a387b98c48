import { announce, options } from './announce.mjs'
import { answerRaw } from './answer-raw.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'
import { ordersExpress } from './orders-express.mjs'

await openPool()
const server = ordersExpress((app) => {
  for (const [path, answer] of Object.entries(options.answers ?? {})) {
    app.get(path, (_request, response) => {
      // ours has none on probes; turned off for the whole app it would be another app than the one ours is in
      response.removeHeader('x-powered-by')
      // `response.send` would add an ETag
      answerRaw(response, answer)
    })
  }
})
await listen(server)
await announce(server)
