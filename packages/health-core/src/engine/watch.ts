import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import type { CheckSlot } from './check-slot.ts'

/** A row of its runs says nothing: each one decides by itself. */
const isUncounted = ({ entry }: CheckSlot): boolean => entry.fall === 1 && entry.rise === 1

/**
 * Runs checks for whoever only watches, so often at most; resolves when they have ended, within the budget. It begins no
 * round, so that no probe waits for it or takes it for its own; a run that a probe needs is shared. Checks with a `fall` or
 * `rise` above 1 are left out: their rows must not grow faster because somebody looks at them.
 */
export function createWatch(
  slots: readonly CheckSlot[],
  { intervalMs, budgetMs }: { readonly intervalMs: number; readonly budgetMs: number },
  clock: Clock,
): () => Promise<void> {
  const watched = slots.filter(isUncounted)
  let beganAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.now() - beganAt < intervalMs) return
    beganAt = clock.now()
    // what somebody else has just seen need not be seen again
    const due = watched.filter((slot) => beganAt - slot.settledAt >= intervalMs)
    const waits = due.map((slot) => slot.refresh(true)).filter((wait) => wait !== undefined)
    await withinDeadline(waits, budgetMs, clock)
  }
}
