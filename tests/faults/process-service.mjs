// A service that looks at its own process. GET /block?ms=N blocks its event loop, /fill fills its heap, /empty lets it go.
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { eventLoopCheck } from '@baldur/health-core/event-loop'
import { memoryCheck } from '@baldur/health-core/memory'
import { attachHealth } from '@baldur/health-core/node'

const health = createHealth({
  env: {},
  databases: { default: { name: 'db', run: () => true } },
  checks: [eventLoopCheck(), memoryCheck({ fall: 1 })],
  verdict: { l1TtlMs: 100, l2TtlMs: 1_000, refresh: false },
  watchdog: false,
})
const held = []
const spin = (ms) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}
const fill = () => {
  // more of what the heap holds, as often as it takes and never beyond
  if (held.length < Number(process.argv[2])) held.push(Array.from({ length: 262_144 }, (_, i) => i + 0.5))
}
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x')
  if (pathname === '/block') spin(Number(searchParams.get('ms')))
  if (pathname === '/busy') busyUntil = performance.now() + Number(searchParams.get('ms'))
  if (pathname === '/fill') fill()
  if (pathname === '/empty') {
    held.length = 0
    globalThis.gc()
  }
  response.end(String(held.length))
})
let busyUntil = 0
const keepBusy = () => {
  // never long, and hardly a pause, also where a busy machine makes it longer: what utilisation alone can show
  if (performance.now() < busyUntil) spin(100)
  setTimeout(keepBusy, performance.now() < busyUntil ? 0 : 20)
}
keepBusy()
attachHealth(server, health)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
