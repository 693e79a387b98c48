import type { Check, CheckResult } from '../vocabulary/check.ts'

/** A check whose runs a test ends by hand, and counts. */
export interface ScriptedCheck extends Check {
  readonly runs: number
  /** Runs that have not settled. */
  readonly outstanding: number
  /** The most that were ever outstanding at once. */
  readonly most: number
  readonly signal: AbortSignal | undefined
  /** Settles the run under way. */
  succeed(result?: CheckResult): void
  fail(error?: unknown): void
  /** What runs do by themselves from now on: `'hang'` waits for succeed or fail. */
  behave(how: 'hang' | (() => unknown)): void
}

export function scriptedCheck(name: string, policy: Partial<Check> = {}): ScriptedCheck {
  let behaviour: 'hang' | (() => unknown) = () => undefined
  let resolve: (result: CheckResult) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  let runs = 0
  let outstanding = 0
  let most = 0
  let signal: AbortSignal | undefined
  const check = {
    name,
    ...policy,
    run: async (given: AbortSignal): Promise<CheckResult> => {
      runs += 1
      outstanding += 1
      most = Math.max(most, outstanding)
      signal = given
      try {
        if (behaviour !== 'hang') return (await behaviour()) as CheckResult
        return await new Promise<CheckResult>((ok, no) => {
          resolve = ok
          reject = no
        })
      } finally {
        outstanding -= 1
      }
    },
    succeed: (result?: CheckResult) => resolve(result),
    fail: (error: unknown = new Error('failed')) => reject(error),
    behave: (how: 'hang' | (() => unknown)) => {
      behaviour = how
    },
  }
  return Object.defineProperties(check, {
    runs: { get: () => runs },
    outstanding: { get: () => outstanding },
    most: { get: () => most },
    signal: { get: () => signal },
  }) as unknown as ScriptedCheck
}
