import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SERVE } from '../settings/defaults.ts'

interface HeldServer {
  emit(event: string, ...args: never[]): boolean
}

const BODY = '{"status":"starting"}'
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(BODY.length),
  'cache-control': 'no-store',
  'retry-after': String(SERVE.retryAfterSeconds),
}

/** A client that resets its connection is no error of ours, and unheard it would end the process. */
const ignore = (): void => undefined

function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, HEADERS)
  response.end(BODY)
}

function refuseSocket(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', ignore)
  // what still comes is read past, so that the end of the connection is seen
  socket.resume()
  const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}connection: close\r\n\r\n${BODY}`)
}

const REFUSALS: ReadonlyMap<string, (...args: never[]) => void> = new Map<string, (...args: never[]) => void>(
  [
    ['request', refuse],
    ['checkContinue', refuse],
    ['checkExpectation', refuse],
    ['upgrade', refuseSocket],
    ['connect', refuseSocket],
  ],
)

/** Answers 503 to every request in the app's place; returns what lets them through, and takes itself off. */
export function holdRequests(server: HeldServer): () => void {
  let isHolding = true
  const wasOwn = Object.hasOwn(server, 'emit')
  const before = server.emit
  const emit = function (this: HeldServer, event: string, ...args: never[]): boolean {
    const refusal = isHolding ? REFUSALS.get(event) : undefined
    if (refusal === undefined) return before.call(this, event, ...args)
    refusal(...args)
    return true
  }
  server.emit = emit
  return () => {
    isHolding = false
    // somebody may have wrapped it after us; then ours stays in the chain and lets everything through
    if (server.emit !== emit) return
    if (wasOwn) server.emit = before
    else Reflect.deleteProperty(server, 'emit')
  }
}
