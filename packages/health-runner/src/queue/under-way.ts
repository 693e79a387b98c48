/** Results that are being handed out: each takes its memory until its last reader has it, though the store may have let it go. */
export interface UnderWay {
  /** Undefined: with this one there would be more than may be. Gives what ends it, once. */
  begin(id: string, bytes: number): (() => void) | undefined
}

export function createUnderWay(maxBytes: number): UnderWay {
  const readers = new Map<string, number>()
  let taken = 0
  return {
    begin: (id, bytes) => {
      const before = readers.get(id) ?? 0
      const more = before === 0 ? bytes : 0
      // one alone is always handed out: an answer may be larger than all that is to be kept
      if (more > 0 && taken > 0 && taken + more > maxBytes) return undefined
      taken += more
      readers.set(id, before + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (readers.get(id) ?? 1) - 1
        if (left > 0) readers.set(id, left)
        else {
          readers.delete(id)
          taken -= bytes
        }
      }
    },
  }
}
