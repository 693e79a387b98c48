import { until } from './until.ts'

/** The machine's clock, which a test can move on: processes and servers need real time, five minutes do not. */
export interface JumpingClock {
  /** Milliseconds, never backwards. */
  now(): number
  /** Milliseconds since 1970. */
  wall(): number
  /** Calls `fire` after so many milliseconds; returns what cancels it. */
  after(ms: number, fire: () => void): () => void
  /** Moves time on at once, and fires what falls due in its order. */
  jump(ms: number): void
  /** The durations of the timers that wait, in milliseconds. */
  readonly waits: readonly number[]
  /** Resolves once every timer that waits was armed for longer than this. Rejects after 3 s. */
  untilTimersAreLonger(ms: number): Promise<void>
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
    jump(ms) {
      ahead += ms
      const due = [...timers].filter((timer) => timer.due <= now())
      for (const timer of due.sort((a, b) => a.due - b.due)) if (timers.has(timer)) timer.fire()
    },
    get waits() {
      return [...timers].map((timer) => timer.ms)
    },
    untilTimersAreLonger: (ms) =>
      until(() => [...timers].every((timer) => timer.ms > ms), {
        everyMs: 2,
        timeoutMs: 3_000,
        message: 'the short timers to end: is a watchdog sampling?',
      }).then(() => undefined),
  }
}
