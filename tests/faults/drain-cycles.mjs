// Tells what is held after many drains in one process, of the kind that the argument names. Run with --expose-gc.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const silent = () => undefined
const logger = { debug: silent, info: silent, warn: silent, error: silent }
const none = { shutdownDelayMs: 0, settleMs: 0, lingerMs: 0, env: {}, logger }
const health = createHealth({ env: {} })
const one = createServer()

const kinds = {
  /** Made for a server that stays, and closed before it began. */
  closed: () => {
    const drain = createDrain({ server: one, health, env: {}, logger })
    const off = drainOnSignals(drain, { fatal: true })
    off()
    drain.close()
  },
  /** Each with a server of its own, which has served a request, and gone to the end. */
  ended: async () => {
    const server = createServer((_request, response) => response.end('x'))
    // seen in the heap if anything holds it
    server.ballast = new Array(5_000).fill(0)
    const drain = createDrain({ server, ...none })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const [answer] = await once(get({ port: server.address().port, agent: false }), 'response')
    await once(answer.resume(), 'end')
    await drain.start()
  },
}

const countsOf = (emitter) =>
  emitter
    .eventNames()
    .map((name) => `${String(name)} ${emitter.listenerCount(name)}`)
    .sort()
const held = async () => {
  // what is closing comes to its end first
  for (let i = 0; i < 3; i++) {
    await wait(20)
    globalThis.gc()
  }
  return {
    heap: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().length,
    onServer: countsOf(one),
    onProcess: countsOf(process),
  }
}

const [, , kind, count] = process.argv
const cycles = async (times) => {
  for (let i = 0; i < times; i++) await kinds[kind]()
}
await cycles(50)
const before = await held()
await cycles(Number(count))
console.log(JSON.stringify({ before, after: await held() }))
