import type { Clock } from '../machinery/clock.ts'

/** Recomputes the verdict in the background while probes arrive, so that no prober waits. */
export interface Refresher {
  /** Call on each probe. */
  onProbe(): void
  /** Milliseconds since the last successful refresh, or since the start; 0 while the refresher is idle. */
  sinceMs(): number
  stop(): void
}

/** Share of the interval by which a refresh may come early; never late. */
const JITTER = 0.05

interface Pace {
  readonly intervalMs: number
  /** Without a probe for this long the refresher stops, until the next probe. */
  readonly idleMs: number
  readonly longestBackoffMs: number
}

/**
 * `refresh` makes sure that the results are younger than the given age and resolves with their age; the next refresh is
 * scheduled from there, whichever process computed them. Each process refreshes early by a random amount, so that in a fleet
 * the first one computes and the others find its results.
 */
export function createRefresher(
  { intervalMs, idleMs, longestBackoffMs }: Pace,
  refresh: (olderThanMs: number) => Promise<number>,
  clock: Clock,
  random: () => number,
): Refresher {
  let probedAt = Number.NEGATIVE_INFINITY
  let succeededAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  let isStopped = false
  let failures = 0

  const earliestMs = intervalMs * (1 - JITTER)
  const arm = (waitMs: number): void => {
    if (isStopped) return
    cancel = clock.after(Math.max(1, waitMs), () => {
      if (clock.now() - probedAt > idleMs) cancel = undefined
      else void turn()
    })
  }
  const turn = async (): Promise<void> => {
    try {
      // a millisecond less than the earliest turn: timers and clocks round differently
      const ageMs = await refresh(earliestMs - 1)
      failures = 0
      succeededAt = clock.now()
      arm(earliestMs + intervalMs * JITTER * random() - ageMs)
    } catch {
      // `refresh` has logged the error
      failures += 1
      arm(Math.min(longestBackoffMs, intervalMs * 2 ** failures))
    }
  }

  return {
    onProbe: () => {
      probedAt = clock.now()
      if (cancel !== undefined) return
      succeededAt = probedAt
      arm(earliestMs)
    },
    sinceMs: () => (cancel === undefined || isStopped ? 0 : clock.now() - succeededAt),
    stop: () => {
      isStopped = true
      cancel?.()
    },
  }
}
