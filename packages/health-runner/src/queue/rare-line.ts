import type { Clock } from '@baldur/health-core'
import { QUEUE_FIXED } from '../settings/defaults.ts'

/** A line of the log about what may happen often: said at once, then once a minute at most, with how often it was. */
export interface RareLine {
  note(times?: number): void
  /** Says what was not said yet. */
  close(): void
}

export function createRareLine(clock: Clock, say: (times: number) => void): RareLine {
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
