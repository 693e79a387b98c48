import { QUEUE_FIXED } from '../settings/defaults.ts'

/** A body that comes in pieces, however small: what it takes is what it has, doubled at most, and never more than it may have. */
export interface GrowingBody {
  readonly bytes: number
  /** What it would take, in bytes, with so many more. */
  sizeWith(more: number): number
  add(piece: Buffer): void
  /** In memory of its own: a slice of a shared one would keep all of that for as long as itself. */
  whole(): Buffer
}

/** The caller sees to it that no more than `maxBytes` are added. */
export function growingBody(maxBytes: number): GrowingBody {
  let memory = Buffer.alloc(0)
  let bytes = 0
  const sizeWith = (more: number): number => {
    const needed = bytes + more
    if (needed <= memory.length) return memory.length
    return Math.min(maxBytes, Math.max(needed, memory.length * 2, QUEUE_FIXED.bodyBytes))
  }
  return {
    get bytes() {
      return bytes
    },
    sizeWith,
    add: (piece) => {
      const size = sizeWith(piece.length)
      if (size > memory.length) {
        const larger = Buffer.allocUnsafeSlow(size)
        memory.copy(larger, 0, 0, bytes)
        memory = larger
      }
      bytes += piece.copy(memory, bytes)
    },
    whole: () => {
      if (bytes === memory.length) return memory
      const whole = Buffer.allocUnsafeSlow(bytes)
      memory.copy(whole, 0, 0, bytes)
      return whole
    },
  }
}
