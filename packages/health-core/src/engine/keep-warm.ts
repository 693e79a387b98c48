import type { Clock } from '../machinery/clock.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { CheckSlot } from './check-slot.ts'

/** Runs a slow check again before its result expires. */
export interface KeepWarm {
  /** Call on each readiness probe. */
  onProbe(): void
  /** Call when a run of the check has ended. */
  onRunEnd(slot: CheckSlot, outcome: Outcome, durationMs: number): void
  stop(): void
}

/**
 * A check that steadily takes longer than the budget would read `timed_out` in every round that waits for it, and
 * ready only in between. So, while probes arrive, its next run starts early enough to end before the last result
 * expires. A check that ends within the budget is never run ahead.
 */
export function createKeepWarm(
  { budgetMs, ttlMs, forMs }: { readonly budgetMs: number; readonly ttlMs: number; readonly forMs: number },
  clock: Clock,
): KeepWarm {
  const timers = new Map<CheckSlot, () => void>()
  let probedAt = Number.NEGATIVE_INFINITY
  return {
    onProbe: () => {
      probedAt = clock.now()
    },
    onRunEnd: (slot, outcome, durationMs) => {
      timers.get(slot)?.()
      timers.delete(slot)
      if (outcome.kind !== 'usable' || durationMs <= budgetMs || ttlMs === 0) return
      // 1.5 times the last duration, and never more than two runs per TTL
      const waitMs = Math.max(ttlMs / 2, ttlMs - durationMs * 1.5)
      if (slot.entry.minIntervalMs > waitMs) return
      const cancel = clock.after(waitMs, () => {
        timers.delete(slot)
        if (clock.now() - probedAt <= forMs) void slot.refresh()
      })
      timers.set(slot, cancel)
    },
    stop: () => {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }
}
