// A service of the built packages that drains. Argument: what is out of the ordinary about it, as JSON (drain-process.ts has its type).
import { createHash } from 'node:crypto'
import dns from 'node:dns'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import { appOf, fail, never, pool } from './drain-routes.mjs'

const {
  drain: options = {},
  signals,
  hooks = [],
  start = 'listen',
  server: kind,
  tell,
} = JSON.parse(process.argv[2] ?? '{}')
const health = createHealth({ env: {}, checks: [{ name: 'x', run: () => true }] })

const listener = healthListener(health, { next: appOf(() => drain) })
const makers = { tls: (listener) => createTlsServer(options.tls, listener), http2: createHttp2Server }
const { tls: _, ...drainOptions } = options
const server = (makers[kind] ?? createServer)(listener)
// 'close' comes when the last connection has gone
server.on('close', () => console.log('closed'))
server.on('listening', () => {
  const look = setInterval(() => {
    if (server.listening) return
    clearInterval(look)
    console.log('listens no more')
  }, 2).unref()
})
server.on('upgrade', (request, socket) => {
  socket.on('error', () => undefined)
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
})

/** The last word to a WebSocket is a close frame with the code 1001, to a stream of events an event. */
const onUpgraded = ({ request, socket, response }) => {
  console.log(`told ${request.url}, listening: ${server.listening}`)
  socket?.write(Buffer.from([0x88, 2, 0x03, 0xe9]))
  response?.write('event: bye\ndata:\n\n')
  return tell === 'hang' ? never : undefined
}

const drain = createDrain({ server, health, onUpgraded, ...drainOptions })
drain.signal.addEventListener('abort', () => console.log(`drains, listening: ${server.listening}`))
const ways = {
  ok: () => undefined,
  throw: () => fail('the hook failed'),
  reject: () => Promise.reject('no reason'),
  hang: () => never,
  pool: () => {
    pool.isOpen = false
  },
  health: () => health.close(),
}
for (const [name, way, more] of hooks) {
  drain.onShutdown(
    name,
    () => {
      console.log(`hook ${name}`)
      return ways[way]()
    },
    more,
  )
}
if (start === 'begun') void drain.start('too early')
drainOnSignals(drain, signals)
process.on('beforeExit', () => console.log('nothing is left to do'))
process.on('exit', (code) => console.log(`exit ${code}`))

const listen = (host = '127.0.0.1') =>
  server.listen(0, host, () => console.log(`listening on ${server.address().port}`))
const findsAfter = (ms) => {
  dns.lookup = (...args) => setTimeout(args.at(-1), ms, null, '127.0.0.1', 4)
}
const stop = () => process.kill(process.pid, 'SIGTERM')
const starts = {
  listen,
  /** Its drain has begun before anybody listens for signals. */
  begun: () => {
    setInterval(() => undefined, 1_000)
    listen()
  },
  /** Stays alive, and never listens. */
  'before listen': () => {
    setInterval(() => undefined, 1_000)
    stop()
  },
  /** Is told to listen, but its name is not found for a while. */
  'before listening': () => {
    findsAfter(200)
    listen('some.name')
    stop()
  },
  /** As before, but the name is found when the drain has closed what listens. */
  'listens late': () => {
    findsAfter(600)
    drain.track(wait(900))
    listen('some.name')
    stop()
  },
  'in setup': () => {
    void health.setup(() => wait(60_000))
    listen()
  },
  'setup failed': () => {
    health.setup(() => wait(50).then(() => fail('no migration'))).catch(() => undefined)
    listen()
  },
}
starts[start]()
