/** How healing one check has gone. Times on one clock, in milliseconds. */
export interface HealState {
  /** Failed runs in a row. */
  readonly failures: number
  /** Tries since the check was last usable. */
  readonly attempts: number
  /** When the last try ended; absent before the first. */
  readonly endedAt?: number
  readonly isRunning: boolean
  /** It was told that nothing more is tried. */
  readonly isGivenUp: boolean
}

export const UNHURT: HealState = { failures: 0, attempts: 0, isRunning: false, isGivenUp: false }

export interface HealBounds {
  readonly afterFailures: number
  readonly cooldownMs: number
  readonly maxAttempts: number
}

/** One more run of the check. A usable one ends the row and forgives the tries, not the time since the last. */
export function countRun(before: HealState, isUsable: boolean): HealState {
  if (!isUsable) return { ...before, failures: before.failures + 1 }
  return { ...before, failures: 0, attempts: 0, isGivenUp: false }
}

/** What to do after a run. That the tries are used up is told when another would be due, so that the last has had its chance. */
export function nextHeal(state: HealState, now: number, bounds: HealBounds): 'wait' | 'heal' | 'give_up' {
  const { failures, attempts, endedAt, isRunning, isGivenUp } = state
  const isCool = endedAt === undefined || now - endedAt >= bounds.cooldownMs
  if (failures < bounds.afterFailures || isRunning || isGivenUp || !isCool) return 'wait'
  return attempts < bounds.maxAttempts ? 'heal' : 'give_up'
}
