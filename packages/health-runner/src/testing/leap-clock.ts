import type { Clock } from '@baldur/health-core'

export interface LeapClock extends Clock {
  /** Brings everything that is to come nearer by so many milliseconds. */
  leap(ms: number): void
}

/** The machine's own time, which a test can move on: processes need real time, five minutes do not. */
export function leapClock(): LeapClock {
  let leapt = 0
  const now = (): number => performance.now() + leapt
  const armed = new Set<{ readonly due: number; rearm(): void }>()
  return {
    now,
    wall: () => Date.now() + leapt,
    after: (ms, fire) => {
      const due = now() + ms
      let timer: NodeJS.Timeout
      const entry = {
        due,
        rearm: () => {
          clearTimeout(timer)
          timer = setTimeout(
            () => {
              armed.delete(entry)
              fire()
            },
            Math.max(0, due - now()),
          )
        },
      }
      armed.add(entry)
      entry.rearm()
      return () => {
        clearTimeout(timer)
        armed.delete(entry)
      }
    },
    leap: (ms) => {
      leapt += ms
      for (const { rearm } of [...armed].sort((a, b) => a.due - b.due)) rearm()
    },
  }
}
