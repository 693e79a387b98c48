import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'
import { createResponseTimer } from './response-timer.ts'

/**
 * The body of a client's request, as a stream of its own: whoever gets it may destroy it, and the client's connection
 * lives on. A client has `idleMs` in which it may be waited for, and gets it back with what it sends; at the end of it `onIdle`
 * is called. So neither silence nor a trickle holds a runner, and a long upload may take as long as it takes.
 */
export function clientBody(
  request: IncomingMessage,
  { idleMs, clock, onIdle }: { readonly idleMs: number; readonly clock: Clock; readonly onIdle: () => void },
): Readable {
  const responseTimer = createResponseTimer(clock, idleMs, onIdle)
  let leftMs = idleMs
  let since: number | undefined
  const wait = (): void => {
    if (since !== undefined) return
    since = clock.now()
    responseTimer.start(leftMs)
  }
  const rest = (): void => {
    const waitedMs = since === undefined ? 0 : clock.now() - since
    // more than there was, and nobody was called: this process itself stood still
    if (waitedMs < leftMs) leftMs -= waitedMs
    since = undefined
    responseTimer.stop()
  }
  const onData = (chunk: Buffer): void => {
    rest()
    leftMs = Math.min(idleMs, leftMs + (chunk.length / FIXED.clientWindowBytes) * idleMs)
    const hasRoom = body.push(chunk)
    if (body.destroyed) return
    if (hasRoom) wait()
    else request.pause()
  }
  const onEnd = (): void => {
    rest()
    body.push(null)
  }
  const onClose = (): void => {
    if (!request.readableEnded) body.destroy(new Error('the client left before its request was whole'))
  }
  const body = new Readable({
    read: () => {
      if (request.readableEnded) return
      wait()
      request.resume()
    },
    destroy: (error, done) => {
      rest()
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
