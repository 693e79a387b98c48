import type { Clock } from '@baldur/health-core'

/** What a drain needs of a clock: monotonic milliseconds. */
export type DrainClock = Pick<Clock, 'now' | 'after'>

/** The machine's own. Unlike the clock of core it keeps the process alive: a drain that has begun comes to its end. */
export const refClock: DrainClock = {
  now: () => performance.now(),
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms)
    return () => clearTimeout(timer)
  },
}
