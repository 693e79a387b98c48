import type { Outcome } from '../vocabulary/outcome.ts'
import type { Reading } from '../vocabulary/reading.ts'
import { timeoutProblem } from './problem.ts'
import { type Streak, streak } from './streak.ts'

/** A run that has not settled when a round's budget ends. */
export interface Overrun {
  /** The budget that ended, in milliseconds. */
  readonly budgetMs: number
  /**
   * Since the run reached its own timeout (which was counted then), in milliseconds; absent while it may still end in
   * time.
   */
  readonly overdueMs?: number
}

/**
 * What a check reads. An overrun counts as one more failed run, and once overdue as one for every further timeout that
 * has passed: a run that never settles must not hide behind `fall` for ever.
 */
export function read(
  runs: { readonly streak: Streak; readonly latest?: Outcome },
  policy: { readonly fall: number; readonly rise: number; readonly timeoutMs: number },
  overrun?: Overrun,
): Reading {
  const isPending = overrun !== undefined && overrun.overdueMs === undefined
  const more =
    overrun === undefined ? 0 : isPending ? 1 : Math.floor((overrun.overdueMs ?? 0) / policy.timeoutMs)
  let now = runs.streak
  // fall is reached long before a run has been overdue for that many timeouts
  for (let i = 0; i < Math.min(more, policy.fall); i++) now = streak(now, false, policy)

  const latest: Outcome | undefined = isPending
    ? { kind: 'timed_out', problem: timeoutProblem(overrun.budgetMs) }
    : runs.latest
  const status = now.state === 'up' ? 'usable' : latest?.kind === 'timed_out' ? 'timed_out' : 'unusable'
  const reading = { status, wasUsable: now.state !== 'unknown' } as const
  return latest === undefined ? reading : { ...reading, latest }
}
