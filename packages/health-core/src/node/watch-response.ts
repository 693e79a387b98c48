import type { ObserveResponse } from '../vocabulary/observe.ts'
import { PROBE_ANSWER } from './write-response.ts'

/** What is needed of a response of `node:http` or `node:http2`. */
export interface WatchableResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Of HTTP/2 alone. */
  readonly stream?: object
  readonly req?: { readonly socket?: { readonly writable?: boolean } | null }
  writeHead(...head: never[]): unknown
}

/**
 * Tells `observe` the status code of a response when its head is written, by whatever the app or its framework writes
 * it: a stream counts when it begins, a thrown handler as what its error handler answers. A client that was gone by then
 * got no answer, and a probe is none of the app's.
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
