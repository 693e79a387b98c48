/** Room for bodies that are being read. */
export interface BodyRoom {
  /** False: there is not so much left. */
  reserve(bytes: number): boolean
  release(bytes: number): void
}

export function createBodyRoom(maxBytes: number): BodyRoom {
  let reserved = 0
  return {
    reserve: (bytes) => {
      if (reserved + bytes > maxBytes) return false
      reserved += bytes
      return true
    },
    release: (bytes) => {
      reserved -= bytes
    },
  }
}
