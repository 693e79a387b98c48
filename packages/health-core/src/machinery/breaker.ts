import type { Clock } from './clock.ts'

/** Stops the use of something for a while after several failures in a row. */
export interface Breaker {
  /** True while it must not be used. */
  readonly isOpen: boolean
  /** Records a failure; returns true when this one opened the breaker. */
  recordFailure(): boolean
  /** Records a success; returns true when it ends an outage. */
  recordSuccess(): boolean
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
    recordFailure: () => {
      failures += 1
      if (failures >= after) until = clock.now() + forMs
      return failures === after
    },
    recordSuccess: () => {
      const wasLong = failures >= after
      failures = 0
      until = undefined
      return wasLong
    },
  }
}
