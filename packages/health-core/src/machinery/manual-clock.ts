import type { Clock } from './clock.ts'

export interface ManualClock extends Clock {
  /** Advances the time, fires due timers in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>
  /** Timers that have neither fired nor been cancelled. */
  readonly pending: number
}

/** A clock that stands still until a test moves it. */
export function manualClock(start = 1_000): ManualClock {
  let now = start
  let sequence = 0
  const timers = new Map<number, { due: number; fire: () => void }>()
  // a macrotask: every promise that can settle has settled when it comes back
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    wall: () => 1_800_000_000_000 + now,
    after: (ms, fire) => {
      const id = ++sequence
      timers.set(id, { due: now + ms, fire })
      return () => timers.delete(id)
    },
    advance: async (ms) => {
      const end = now + ms
      await settle()
      for (;;) {
        const [next] = [...timers].filter(([, t]) => t.due <= end).sort(([, a], [, b]) => a.due - b.due)
        if (next === undefined) break
        const [id, timer] = next
        timers.delete(id)
        now = Math.max(now, timer.due)
        timer.fire()
        await settle()
      }
      now = end
      await settle()
    },
    get pending() {
      return timers.size
    },
  }
}
