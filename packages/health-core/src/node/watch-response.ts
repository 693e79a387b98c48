import type { ServerResponse } from 'node:http'
import type { ObserveResponse } from '../vocabulary/observe.ts'
import { PROBE_ANSWER } from './write-response.ts'

/**
 * Tells `observe` the status code of a response when its head is written, by whatever the app or its framework writes
 * it: a stream counts when it begins, a thrown handler as what its error handler answers. A client that was gone by then
 * got no answer, and a probe is none of the app's.
 */
export function watchResponse(response: ServerResponse, observe: ObserveResponse): void {
  // also what has no head of its own comes through here: `write`, `end` and `flushHeaders` call it
  const before = response.writeHead as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]): ServerResponse => {
    const isGone = response.destroyed || response.req?.socket?.destroyed
    before.apply(response, args)
    const isProbe = PROBE_ANSWER in response
    if (!isGone && !isProbe && response.statusCode >= 200) observe(response.statusCode, response)
    return response
  }
}
