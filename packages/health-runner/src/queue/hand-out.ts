import type { IncomingMessage, ServerResponse } from 'node:http'
import type { QueueAnswer, QueueResult } from '../vocabulary/queue-store.ts'
import { REFUSALS } from './refusals.ts'
import { createUnderWay } from './under-way.ts'

/** What is answered to whoever asks for a result that there is. */
export type HandOut = (
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
) => (result: QueueResult) => QueueAnswer

/** `onFetched` hears that all of a result is on its way: whoever left before may come again. */
export function createHandOut(maxBytes: number, onFetched: (id: string) => void): HandOut {
  const underWay = createUnderWay(maxBytes)
  return (id, { method, socket }, response) =>
    (result) => {
      // of these nobody gets a byte of its body
      if (method !== 'GET' || socket.destroyed) return result
      const over = underWay.begin(id, result.body.length)
      if (over === undefined) return REFUSALS.manyReaders
      response.once('close', over)
      response.once('finish', () => {
        over()
        // Node says that it has finished also when the connection broke
        if (!socket.destroyed) onFetched(id)
      })
      return result
    }
}
