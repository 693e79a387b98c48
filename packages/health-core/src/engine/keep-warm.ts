import type { Clock } from '../machinery/clock.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { CheckSlot } from './check-slot.ts'

/** Runs a slow check again before its result expires. */
export interface KeepWarm {
  /** Somebody asked. */
  asked(): void
  /** A run of the check has ended. */
  ended(slot: CheckSlot, outcome: Outcome, durationMs: number): void
  stop(): void
}

/**
 * A check that steadily needs longer than the budget would read `timed_out` in every round that has to wait for it, and
 * ready only in between. So, while somebody asks, its next run begins early enough to end before the last result
 * expires. Checks within the budget are never run ahead.
 */
export function createKeepWarm(
  { budgetMs, ttlMs, forMs }: { readonly budgetMs: number; readonly ttlMs: number; readonly forMs: number },
  clock: Clock,
): KeepWarm {
  const timers = new Map<CheckSlot, () => void>()
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    asked: () => {
      askedAt = clock.now()
    },
    ended: (slot, outcome, durationMs) => {
      timers.get(slot)?.()
      timers.delete(slot)
      if (outcome.kind !== 'usable' || durationMs <= budgetMs || ttlMs === 0) return
      // half as long again as the last run took, and never more than two runs per TTL
      const waitMs = Math.max(ttlMs / 2, ttlMs - durationMs * 1.5)
      if (slot.entry.minIntervalMs > waitMs) return
      const cancel = clock.after(waitMs, () => {
        timers.delete(slot)
        if (clock.now() - askedAt <= forMs) void slot.refresh()
      })
      timers.set(slot, cancel)
    },
    stop: () => {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }
}
