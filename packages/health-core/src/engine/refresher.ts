import type { Clock } from '../machinery/clock.ts'

/** Recomputes before somebody has to wait, for as long as somebody asks. */
export interface Refresher {
  /** Somebody asked. */
  asked(): void
  /** Since it last got through, or began, in milliseconds; 0 while nobody asks, since it has nothing to do then. */
  sinceMs(): number
  stop(): void
}

/** Of an interval: a turn comes up to so much early, never late. */
const JITTER = 0.05

interface Pace {
  readonly intervalMs: number
  /** Nobody has asked for so long: it stops. */
  readonly idleMs: number
  readonly longestBackoffMs: number
}

/**
 * `refresh` makes sure that what is known is younger than the age given, and says how old it is then; its next turn is
 * counted from there, whoever computed. Turns come a little early, each process by another amount, so that in a fleet
 * the first one does the work and the others see that it is done.
 */
export function createRefresher(
  { intervalMs, idleMs, longestBackoffMs }: Pace,
  refresh: (olderThanMs: number) => Promise<number>,
  clock: Clock,
  random: () => number,
): Refresher {
  let askedAt = Number.NEGATIVE_INFINITY
  let throughAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  let isStopped = false
  let failures = 0

  const earliestMs = intervalMs * (1 - JITTER)
  const arm = (waitMs: number): void => {
    if (isStopped) return
    cancel = clock.after(Math.max(1, waitMs), () => {
      if (clock.now() - askedAt > idleMs) cancel = undefined
      else void turn()
    })
  }
  const turn = async (): Promise<void> => {
    try {
      // a millisecond less than the earliest turn: timers and clocks round differently
      const ageMs = await refresh(earliestMs - 1)
      failures = 0
      throughAt = clock.now()
      arm(earliestMs + intervalMs * JITTER * random() - ageMs)
    } catch {
      // whoever computes has told why
      failures += 1
      arm(Math.min(longestBackoffMs, intervalMs * 2 ** failures))
    }
  }

  return {
    asked: () => {
      askedAt = clock.now()
      if (cancel !== undefined) return
      throughAt = askedAt
      arm(earliestMs)
    },
    sinceMs: () => (cancel === undefined || isStopped ? 0 : clock.now() - throughAt),
    stop: () => {
      isStopped = true
      cancel?.()
    },
  }
}
