import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import type { CheckSlot } from './check-slot.ts'

/** No hysteresis (fall = rise = 1), so an extra run cannot shift its state. */
const isUncounted = ({ entry }: CheckSlot): boolean => entry.fall === 1 && entry.rise === 1

/**
 * Runs checks for a live display, at most once per interval; resolves when they have ended or the budget is over. It starts no
 * round, so no probe waits for it; a run that a probe needs is shared. Checks with a `fall` or `rise` above 1 are left out:
 * watching must not advance their streaks faster.
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
    // a check that has just run for another caller is skipped
    const due = watched.filter((slot) => beganAt - slot.settledAt >= intervalMs)
    const waits = due.map((slot) => slot.refresh(true)).filter((wait) => wait !== undefined)
    await withinDeadline(waits, budgetMs, clock)
  }
}
