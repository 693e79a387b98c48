import type { ObserveResponse } from '../vocabulary/observe.ts'
import { PROBE_ANSWER } from './write-response.ts'

/** The required part of a response of `node:http` or `node:http2`. */
export interface WatchableResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Present only on HTTP/2. */
  readonly stream?: object
  readonly req?: { readonly socket?: { readonly writable?: boolean } | null }
  writeHead(...head: never[]): unknown
}

/**
 * Passes the status code of a response to `observe` when its head is written, by the app or its framework: a stream counts
 * at its start, a handler that throws counts as the response of its error handler. Responses to clients that have left and
 * to probes do not count.
 */
export function watchResponse(response: WatchableResponse, observe: ObserveResponse): void {
  // a response without a head of its own comes through here too: `write`, `end` and `flushHeaders` call it
  const before = response.writeHead
  response.writeHead = (...head: never[]): unknown => {
    // of HTTP/2 the head of a client that has left is silently not written, and a stream without a body is never writable
    const isGone = response.stream === undefined && response.req?.socket?.writable === false
    const written = before.apply(response, head)
    if (!isGone && response.headersSent && !(PROBE_ANSWER in response)) observe(response.statusCode, response)
    return written
  }
}
