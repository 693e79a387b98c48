import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { hasBody } from '../rules/find-fault.ts'
import { without } from '../rules/hop-by-hop.ts'
import { FIXED } from '../settings/defaults.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'

/** An answer in JSON that nobody keeps. */
export const json = (status: number, value: object, headers: readonly string[] = []): QueueAnswer => ({
  status,
  headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...headers],
  body: Buffer.from(`${JSON.stringify(value)}\n`),
})

/** A 204 has no length; that of a 304 is about another answer's body. */
const hasLength = (status: number): boolean => status !== 204 && status !== 304

/** The length is that of the bytes that are sent: what was recorded of a HEAD names bytes that nobody has. */
function framed({ status, headers, body }: QueueAnswer): readonly string[] {
  if (!hasLength(status)) return headers
  const others = without(headers, (name) => name === 'content-length')
  return [...others, 'Content-Length', String(body.length)]
}

/** Writes an answer. What the caller still sends is not read on: its connection ends, but not before it can have seen why. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: QueueAnswer,
  clock: Clock,
): void {
  if (response.headersSent || response.destroyed) return
  const isUnread = hasBody(request.rawHeaders) && !request.complete
  if (isUnread) response.shouldKeepAlive = false
  response.writeHead(answer.status, [...framed(answer)])
  // a caller that takes nothing is let go: Node ends a socket on which nothing has moved between two looks, so long apart
  response.socket?.setTimeout(FIXED.clientIdleMs)
  // Node itself leaves the body away where there is none to be: HEAD, 204, 304
  if (isUnread) linger(request, response, answer.body, clock)
  else response.end(answer.body)
}

/** A connection that is closed with bytes unread is reset, and takes the answer with it: some are read, and dropped. */
function linger(request: IncomingMessage, response: ServerResponse, body: Buffer, clock: Clock): void {
  response.flushHeaders()
  response.write(body)
  const end = (): void => {
    cancel()
    request.off('end', end).off('close', end)
    response.end()
  }
  const cancel = clock.after(FIXED.clientLingerMs, end)
  request.on('end', end).on('close', end).resume()
}
