import type { Problem } from './outcome.ts'

/** How to heal a failing check, and how often. */
export interface Heal {
  /** Makes one attempt. The signal aborts after 30 s; no second attempt starts before this one has settled. A thrown error is logged. */
  run(signal: AbortSignal): unknown
  /** Failed runs in a row before the first attempt. @default 3 */
  readonly afterFailures?: number
  /** Pause from the end of one attempt to the next, in milliseconds. @default 60000 */
  readonly cooldownMs?: number
  /** Attempts before healing gives up, until the check is usable again. @default 5 */
  readonly maxAttempts?: number
}

/** One step of healing a check. `succeeded` means that the attempt ended without an error; whether the check is usable again shows its next run. */
export interface HealStep {
  /** The check's name. */
  readonly name: string
  /** `exhausted`: all attempts are used up. */
  readonly kind: 'started' | 'succeeded' | 'failed' | 'exhausted'
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Why the attempt failed; only for `failed`. */
  readonly problem?: Problem
}
