import type { HealthOptions } from '@baldur/health-core'
import { until } from 'health-testkit'

/** A wait of no more is that of an answer for a shared store, which is on its way; a longer one is an interval, a TTL or a rest. */
const SHORT_MS = 50

/** The machine's clock, for a health in front of a real server: it runs by itself, and a test can move it on. */
export interface JumpingClock extends NonNullable<HealthOptions['clock']> {
  /** Moves time on at once and fires what falls due, after what is on its way has come, so that no answer counts as late for the jump. */
  jump(ms: number): Promise<void>
}

interface Timer {
  readonly ms: number
  readonly due: number
  fire(): void
}

export function jumpingClock(): JumpingClock {
  let ahead = 0
  const timers = new Set<Timer>()
  const now = (): number => performance.now() + ahead
  return {
    now,
    wall: () => Date.now() + ahead,
    after(ms, fire) {
      const cancel = (): void => {
        clearTimeout(handle)
        timers.delete(timer)
      }
      const timer: Timer = {
        ms,
        due: now() + ms,
        fire() {
          cancel()
          fire()
        },
      }
      const handle = setTimeout(timer.fire, ms)
      handle.unref()
      timers.add(timer)
      return cancel
    },
    async jump(ms) {
      await until(() => [...timers].every((timer) => timer.ms > SHORT_MS), {
        everyMs: 2,
        timeoutMs: 3_000,
        message: 'the short waits to end: is a watchdog sampling?',
      })
      ahead += ms
      const due = [...timers].filter((timer) => timer.due <= now())
      for (const timer of due.sort((a, b) => a.due - b.due)) if (timers.has(timer)) timer.fire()
    },
  }
}
