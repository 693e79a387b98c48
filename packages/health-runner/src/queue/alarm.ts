import type { Clock } from '@baldur/health-core'
import { QUEUE_FIXED } from '../settings/defaults.ts'

/** One timer for whatever is next. */
export interface Alarm {
  /** Fires at that time of the clock at the latest that was asked for first; undefined: not at all. */
  set(at: number | undefined): void
}

export function createAlarm(clock: Clock, fire: () => void): Alarm {
  let due: number | undefined
  let cancel = (): void => undefined
  const set = (at: number | undefined): void => {
    if (at === due) return
    cancel()
    due = at
    if (at === undefined) return
    // a timer may be early by part of a millisecond: whoever is woken then asks again
    cancel = clock.after(
      Math.min(QUEUE_FIXED.longestTimerMs, Math.max(0, Math.ceil(at - clock.now()))),
      () => {
        due = undefined
        fire()
      },
    )
  }
  return { set }
}
