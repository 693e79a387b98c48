import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '@baldur/health-core'
import { createPatience } from './patience.ts'

/**
 * The body of a client's request, as a stream of its own: whoever gets it may destroy it, and the client's connection
 * lives on. Calls `onIdle` when the client is waited for longer than `idleMs`.
 */
export function clientBody(
  request: IncomingMessage,
  { idleMs, clock, onIdle }: { readonly idleMs: number; readonly clock: Clock; readonly onIdle: () => void },
): Readable {
  const patience = createPatience(clock, idleMs, onIdle)
  const onData = (chunk: Buffer): void => {
    if (body.push(chunk)) return
    patience.rest()
    request.pause()
  }
  const onEnd = (): void => {
    patience.rest()
    body.push(null)
  }
  const onClose = (): void => {
    if (!request.readableEnded) body.destroy(new Error('the client left before its request was whole'))
  }
  const body = new Readable({
    read: () => {
      if (request.readableEnded) return
      patience.wait()
      request.resume()
    },
    destroy: (error, done) => {
      patience.rest()
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      done(error)
    },
  })
  // without a listener for it the error of a body that the client broke off would end the process
  body.on('error', () => undefined)
  request.pause()
  request.on('data', onData).on('end', onEnd).on('close', onClose)
  return body
}
