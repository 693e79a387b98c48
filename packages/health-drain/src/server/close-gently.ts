import type { IncomingMessage } from 'node:http'
import type { DrainClock } from '../clock.ts'
import { LIMITS } from '../plan/defaults.ts'

const ignore = (): void => undefined

/**
 * Makes the end of a request's connection, should it be the last one, a gentle one. Node destroys a connection right after its last answer, which resets it where
 * the client still sends: an upload that was answered unread, requests behind the last one. The client loses the answer
 * with it. Here the end is sent, what still comes is read past, and the connection is destroyed when nothing more has come
 * for a while, or the client has ended its side.
 */
export function closeGently(request: IncomingMessage, clock: DrainClock, onEnd: () => void = ignore): void {
  const { socket } = request
  socket.destroySoon = (): void => {
    onEnd()
    const silentMs = request.complete ? LIMITS.halfOpenMs : LIMITS.uploadMs
    let seen = Number.NaN
    let cancel = ignore
    const look = (): void => {
      if (socket.bytesRead === seen) socket.destroy()
      else {
        seen = socket.bytesRead
        cancel = clock.after(silentMs, look)
      }
    }
    socket.once('close', () => cancel())
    request.on('error', ignore).resume()
    // a slow client has all the time of requests to read the answer
    socket.end(look)
  }
}
