import type { IncomingMessage } from 'node:http'
import type { Clock } from '@baldur/health-core'
import type { BodyRoom } from './body-room.ts'
import { growingBody } from './growing-body.ts'

/** The body, or why there is none: too long, no room for it, nothing came for too long, or the caller has gone. */
export type BodyRead =
  | { readonly kind: 'whole'; readonly body: Buffer; readonly reserved: number }
  | { readonly kind: Unread }

export type Unread = 'too_long' | 'no_room' | 'too_slow' | 'gone'

interface Limits {
  readonly maxBytes: number
  /** Between two pieces, in milliseconds. */
  readonly idleMs: number
  /** For all of it, in milliseconds: a caller that sends a byte now and then holds its room no longer. */
  readonly wholeMs: number
  readonly room: BodyRoom
  readonly clock: Clock
}

/** Reads a body, no further than it may be long; what its length tells is said at once. Room is taken for what has come, not for what was promised, and stays reserved for whoever gets the body. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, idleMs, wholeMs, room, clock }: Limits,
): BodyRead | Promise<BodyRead> {
  const { 'content-length': length } = request.headers
  const declared = length === undefined ? maxBytes : Number(length)
  if (declared > maxBytes) return { kind: 'too_long' }

  const body = growingBody(declared)
  let reserved = 0
  return new Promise((resolve) => {
    const end = (read: BodyRead): void => {
      cancel()
      cancelWhole()
      request.off('data', take).off('end', whole).off('close', gone).pause()
      resolve(read)
    }
    const giveUp = (kind: Unread): void => {
      room.release(reserved)
      end({ kind })
    }
    const wait = (): (() => void) => clock.after(idleMs, () => giveUp('too_slow'))
    const take = (piece: Buffer): void => {
      cancel()
      cancel = wait()
      const more = body.sizeWith(piece.length) - reserved
      if (body.bytes + piece.length > maxBytes) giveUp('too_long')
      else if (!room.reserve(more)) giveUp('no_room')
      else {
        reserved += more
        body.add(piece)
      }
    }
    const whole = (): void => end({ kind: 'whole', body: body.whole(), reserved })
    const gone = (): void => giveUp('gone')
    let cancel = wait()
    const cancelWhole = clock.after(wholeMs, () => giveUp('too_slow'))
    // an error is followed by the close
    request.on('error', () => undefined)
    request.on('data', take).once('end', whole).once('close', gone)
    if (request.destroyed) gone()
  })
}
