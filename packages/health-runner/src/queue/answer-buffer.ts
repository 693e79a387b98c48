import type { AnswerHead, Sink } from '../vocabulary/exchange.ts'
import { joined } from './joined.ts'

/** Takes an answer to be recorded. */
export interface AnswerBuffer {
  readonly sink: Sink
  readonly head: AnswerHead | undefined
  readonly isTooLong: boolean
  body(): Buffer
}

/** `onTooLong` is called once, at the first byte too many; nothing is kept from then on. */
export function createAnswerBuffer(maxBytes: number, onTooLong: () => void): AnswerBuffer {
  let head: AnswerHead | undefined
  let pieces: Buffer[] = []
  let bytes = 0
  let isTooLong = false

  return {
    get head() {
      return head
    },
    get isTooLong() {
      return isTooLong
    },
    body: () => joined(pieces, bytes),
    sink: {
      head: (given) => {
        head = given
      },
      data: (piece) => {
        if (isTooLong) return true
        bytes += piece.length
        if (bytes <= maxBytes) pieces.push(piece)
        else {
          isTooLong = true
          pieces = []
          onTooLong()
        }
        return true
      },
      // it never asks to wait: what it takes is bounded
      whenReady: (resume) => resume(),
      end: () => undefined,
    },
  }
}
