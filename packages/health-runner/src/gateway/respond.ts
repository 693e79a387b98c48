import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@baldur/health-core'
import type { ErrorAnswer } from '../rules/error-answer.ts'
import { FIXED } from '../settings/defaults.ts'

/** Writes an answer of ours; one that has begun, or whose client is gone, is left as it is. */
export function respond(
  response: ServerResponse,
  { status, headers, body }: ErrorAnswer,
  requestId?: string,
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, [
    ...headers,
    ...(requestId === undefined ? [] : ['X-Baldur-Request-Id', requestId]),
  ])
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Answers on a bare connection, and ends it: gently, since what the client still sends would break it before it has read the answer. */
export function respondAndEnd(socket: Socket, { status, headers, body }: ErrorAnswer, clock: Clock): void {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines,
    `Date: ${new Date(clock.wall()).toUTCString()}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1')
  socket.resume()
  const cancel = clock.after(FIXED.clientLingerMs, () => socket.destroy())
  socket.once('close', cancel)
}
