import type { Clock } from './clock.ts'

/** Leaves something alone for a while when it has failed several times in a row. */
export interface Breaker {
  /** It is to be left alone. */
  readonly isOpen: boolean
  /** True when it has just been once too often. */
  failed(): boolean
  /** True when that ends a row that was too long. */
  succeeded(): boolean
}

/** `after` failures in a row open it for `forMs`; then each further failure does, until one success. */
export function createBreaker(
  clock: Clock,
  { after, forMs }: { readonly after: number; readonly forMs: number },
): Breaker {
  let failures = 0
  let until: number | undefined
  return {
    get isOpen() {
      return until !== undefined && clock.now() < until
    },
    failed: () => {
      failures += 1
      if (failures >= after) until = clock.now() + forMs
      return failures === after
    },
    succeeded: () => {
      const wasLong = failures >= after
      failures = 0
      until = undefined
      return wasLong
    },
  }
}
