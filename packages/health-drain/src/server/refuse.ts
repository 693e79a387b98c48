import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { DrainClock } from '../clock.ts'
import { closeGently } from './close-gently.ts'

/** What a request gets that is not served any more. */
export interface Refusal {
  readonly retryAfterSeconds: number
  readonly inFlight: number
}

const bodyOf = ({ retryAfterSeconds, inFlight }: Refusal): string =>
  JSON.stringify({ status: 'draining', retry_after_seconds: retryAfterSeconds, in_flight: inFlight })

const headersOf = (body: string, { retryAfterSeconds }: Refusal): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(body.length),
  'cache-control': 'no-store',
  'retry-after': String(retryAfterSeconds),
})

/** Answers 503 and closes the connection; an upload goes on being read past for a while. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  clock: DrainClock,
): void {
  const body = bodyOf(refusal)
  response.shouldKeepAlive = false
  closeGently(request, clock)
  response.writeHead(503, headersOf(body, refusal))
  response.end(request.method === 'HEAD' ? '' : body)
}

/** Answers 503 on a stream of HTTP/2, where no `Connection` header is allowed. */
export function refuseStream(stream: ServerHttp2Stream, refusal: Refusal): void {
  stream.on('error', () => undefined)
  if (stream.destroyed || stream.headersSent) return
  const body = bodyOf(refusal)
  stream.respond({ ':status': 503, ...headersOf(body, refusal) })
  stream.end(body)
  stream.resume()
}

/** Answers 503 to a request for an upgrade, which comes with the bare socket. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal)
  const lines = Object.entries({ ...headersOf(body, refusal), connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`)
}
