import type { Clock } from '@baldur/health-core'
import { QUEUE_FIXED } from '../settings/defaults.ts'

/** Log line for a frequent event: written at once, then at most once a minute, with the number of events. */
export interface ThrottledLog {
  note(times?: number): void
  /** Writes the pending count, if any, and stops. */
  close(): void
}

export function createThrottledLog(clock: Clock, say: (times: number) => void): ThrottledLog {
  let times = 0
  let cancel: (() => void) | undefined
  const speak = (): void => {
    cancel = undefined
    if (times === 0) return
    say(times)
    times = 0
    cancel = clock.after(QUEUE_FIXED.rareLineMs, speak)
  }
  return {
    note: (more = 1) => {
      times += more
      if (cancel === undefined) speak()
    },
    close: () => {
      cancel?.()
      if (times > 0) say(times)
      times = 0
    },
  }
}
