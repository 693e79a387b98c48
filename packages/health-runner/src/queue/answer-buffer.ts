import type { AnswerHead, Sink } from '../vocabulary/exchange.ts'
import { growingBody } from './growing-body.ts'

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
  let body = growingBody(maxBytes)
  let isTooLong = false

  return {
    get head() {
      return head
    },
    get isTooLong() {
      return isTooLong
    },
    body: () => body.whole(),
    sink: {
      head: (given) => {
        head = given
      },
      data: (piece) => {
        if (isTooLong) return true
        if (body.bytes + piece.length <= maxBytes) body.add(piece)
        else {
          isTooLong = true
          body = growingBody(0)
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
