// A service whose watchdog looks every second. GET /block?ms=N blocks its event loop.
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { attachHealth } from '@baldur/health-core/node'

const health = createHealth({
  env: {},
  databases: { default: { name: 'db', run: () => true } },
  watchdog: { intervalMs: 1_000 },
})
const spin = (ms) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}
// starting is work too: what it holds up is none of the watchdog's business
await new Promise((resolve) => setTimeout(resolve, 100))
spin(Number(process.argv[2]))
const server = createServer((request, response) => {
  spin(Number(new URL(request.url, 'http://x').searchParams.get('ms')))
  response.end()
})
attachHealth(server, health)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
