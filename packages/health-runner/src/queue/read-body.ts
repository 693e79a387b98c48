import type { IncomingMessage } from 'node:http'
import type { Clock } from '@baldur/health-core'
import type { BodyRoom } from './body-room.ts'
import { joined } from './joined.ts'

/** The body, or why there is none: too long, no room for it, nothing came for too long, or the caller has gone. */
export type BodyRead =
  | { readonly kind: 'whole'; readonly body: Buffer; readonly reserved: number }
  | { readonly kind: Unread }

export type Unread = 'too_long' | 'no_room' | 'too_slow' | 'gone'

interface Limits {
  readonly maxBytes: number
  /** Between two pieces, in milliseconds. */
  readonly idleMs: number
  readonly room: BodyRoom
  readonly clock: Clock
}

/** Reads a body, no further than it may be long; what its length tells is said at once. The room it took stays reserved for whoever gets it. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, idleMs, room, clock }: Limits,
): BodyRead | Promise<BodyRead> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) return { kind: 'too_long' }
  if (!room.reserve(declared)) return { kind: 'no_room' }

  const pieces: Buffer[] = []
  let bytes = 0
  let reserved = declared
  return new Promise((resolve) => {
    const end = (read: BodyRead): void => {
      cancel()
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
      bytes += piece.length
      const more = Math.max(0, bytes - reserved)
      if (bytes > maxBytes) giveUp('too_long')
      else if (!room.reserve(more)) giveUp('no_room')
      else {
        reserved += more
        pieces.push(piece)
      }
    }
    const whole = (): void => end({ kind: 'whole', body: joined(pieces, bytes), reserved })
    const gone = (): void => giveUp('gone')
    let cancel = wait()
    // an error is followed by the close
    request.on('error', () => undefined)
    request.on('data', take).once('end', whole).once('close', gone)
    if (request.destroyed) gone()
  })
}
