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

/** Resolves after `ms`. */
export const pause = (clock: DrainClock, ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(ms, resolve))

/** Whether `wanted` comes within `ms`; the timer is gone either way. */
export async function comesWithin(clock: DrainClock, ms: number, wanted: Promise<unknown>): Promise<boolean> {
  let cancel: (() => void) | undefined
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(ms, () => resolve(false))
  })
  const isInTime = await Promise.race([wanted.then(() => true as const), late])
  cancel?.()
  return isInTime
}
