import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'
import { type AnswerLimit, type Link, type ProxiedPair, proxiedPair } from './proxied-pair.ts'

/** A TCP proxy whose link can be made slow, silent, broken or refused while connections are open. */
export interface FaultProxy {
  readonly port: number
  /** Connections that their clients hold open now. */
  readonly open: number
  /** Connections of clients since the start. */
  readonly opened: number
  /** Lets everything through, as at the start. */
  pass(): void
  /** Holds back each chunk of both directions for that long, in order. */
  delay(ms: number): void
  /** Accepts connections, swallows all bytes and ends, and answers nothing. */
  blackhole(): void
  /** Lets that many bytes of the server's answers through on each new connection, then nothing for as long as it lives. */
  stallAfter(bytes: number): void
  /** Lets that many bytes of the server's answers through on each new connection, then resets it. */
  cutAfter(bytes: number): void
  /** Resets the open connections, and new ones as soon as they are made. */
  reset(): void
  /** Stops listening, so that new connections are refused, and resets the open ones. */
  refuse(): Promise<void>
  /** Listens again on the same port and lets everything through. */
  accept(): Promise<void>
  /** Stops listening and resets what is open, for good. */
  close(): Promise<void>
}

/** Starts a proxy on a free loopback port in front of a server that need not be there yet. */
export async function faultProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<FaultProxy> {
  const port = await freePort()
  const pairs = new Set<ProxiedPair>()
  const link: Link = { delayMs: 0, silent: false }
  let limit: AnswerLimit | undefined
  let resetting = false
  let opened = 0

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    opened += 1
    if (resetting) return client.resetAndDestroy()
    const upstream = connect({ port: targetPort, host: targetHost, allowHalfOpen: true, noDelay: true })
    const pair = proxiedPair(client, upstream, link, limit)
    pairs.add(pair)
    forgetOnceClosed(pair, client, upstream)
    return undefined
  })
  const forgetOnceClosed = (pair: ProxiedPair, ...sockets: Socket[]) => {
    const forget = () => {
      if (sockets.every(({ destroyed }) => destroyed)) pairs.delete(pair)
    }
    for (const socket of sockets) socket.on('close', forget)
  }
  const cutAll = () => {
    for (const pair of pairs) pair.cut()
  }
  const listen = async () => {
    if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  const stopListening = async () => {
    if (!server.listening) return
    server.close()
    cutAll()
    await once(server, 'close')
  }
  const change = (now: Partial<Link> & { limit?: AnswerLimit; resetting?: boolean }) => {
    link.delayMs = now.delayMs ?? 0
    link.silent = now.silent ?? false
    limit = now.limit
    resetting = now.resetting ?? false
  }
  const pass = (delayMs = 0) => {
    change({ delayMs })
    for (const pair of pairs) pair.heal()
  }

  await listen()
  return {
    port,
    get open() {
      return [...pairs].filter((pair) => pair.open).length
    },
    get opened() {
      return opened
    },
    pass: () => pass(),
    delay: pass,
    blackhole: () => change({ silent: true }),
    stallAfter: (bytes) => change({ limit: { bytes, ending: 'stall' } }),
    cutAfter: (bytes) => change({ limit: { bytes, ending: 'cut' } }),
    reset() {
      change({ resetting: true })
      cutAll()
    },
    refuse: stopListening,
    async accept() {
      pass()
      await listen()
    },
    close: stopListening,
  }
}
