/** The progress of healing one check. Times on one clock, in milliseconds. */
export interface HealState {
  /** Failed runs in a row. */
  readonly failures: number
  /** Attempts since the check was last usable. */
  readonly attempts: number
  /** When the last attempt ended; absent before the first. */
  readonly endedAt?: number
  readonly isRunning: boolean
  /** Giving up has been reported. */
  readonly isGivenUp: boolean
}

export const INITIAL_HEAL_STATE: HealState = { failures: 0, attempts: 0, isRunning: false, isGivenUp: false }

export interface HealBounds {
  readonly afterFailures: number
  readonly cooldownMs: number
  readonly maxAttempts: number
}

/** Counts one run of the check. A usable run resets failures and attempts, but not the cooldown. */
export function countRun(before: HealState, isUsable: boolean): HealState {
  if (!isUsable) return { ...before, failures: before.failures + 1 }
  return { ...before, failures: 0, attempts: 0, isGivenUp: false }
}

/** Decides what to do after a run. `give_up` comes when a further attempt would be due, so that the last one has had time to work. */
export function nextHeal(state: HealState, now: number, bounds: HealBounds): 'wait' | 'heal' | 'give_up' {
  const { failures, attempts, endedAt, isRunning, isGivenUp } = state
  const isCool = endedAt === undefined || now - endedAt >= bounds.cooldownMs
  if (failures < bounds.afterFailures || isRunning || isGivenUp || !isCool) return 'wait'
  return attempts < bounds.maxAttempts ? 'heal' : 'give_up'
}
