/** The consecutive runs of a check. */
export interface Streak {
  /** `unknown` until the first success. */
  readonly state: 'unknown' | 'up' | 'down'
  /** Failed runs since the last success. */
  readonly failures: number
  /** Successful runs since the last failure. */
  readonly successes: number
}

export const INITIAL_STREAK: Streak = { state: 'unknown', failures: 0, successes: 0 }

/** The same runs, as if another process's success came before them. */
export const afterRemoteSuccess = (runs: Streak, fall: number): Streak =>
  runs.state === 'unknown' ? { ...runs, state: runs.failures >= fall ? 'down' : 'up' } : runs

/** Counts one more run. The counts are truly consecutive: one run of the other kind starts them again. */
export function streak(
  before: Streak,
  succeeded: boolean,
  { fall, rise }: { readonly fall: number; readonly rise: number },
): Streak {
  if (succeeded) {
    const successes = before.successes + 1
    const isUp = before.state !== 'down' || successes >= rise
    return { state: isUp ? 'up' : 'down', failures: 0, successes }
  }
  const failures = before.failures + 1
  const isDown = before.state === 'up' && failures >= fall
  return { state: isDown ? 'down' : before.state, failures, successes: 0 }
}
