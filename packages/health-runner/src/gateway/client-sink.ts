import type { ServerResponse } from 'node:http'
import type { Sink } from '../vocabulary/exchange.ts'

/** A client's response as the one who takes a runner's answer. A client that takes nothing for `idleMs` is let go. */
export function clientSink(
  response: ServerResponse,
  { idleMs, requestId }: { readonly idleMs: number; readonly requestId: string },
): Sink {
  // Node tells of a socket on which nothing moves, also within one long write, and ends it where nobody listens
  const patient = (ms: number): void => void response.socket?.setTimeout(ms)
  return {
    head: ({ status, headers }) => {
      response.writeHead(status, [...headers, 'X-Baldur-Request-Id', requestId])
      // together with the first piece where that is there already, and at once where it is not
      setImmediate(() => {
        if (!response.writableEnded && !response.destroyed) response.flushHeaders()
      })
    },
    data: (chunk) => response.write(chunk),
    whenReady: (resume) => {
      patient(idleMs)
      response.once('drain', () => {
        patient(0)
        resume()
      })
    },
    end: () => {
      patient(idleMs)
      response.end()
    },
  }
}
