import type { Problem } from './outcome.ts'

/** What may bring a failing check back, and how often it is tried. */
export interface Heal {
  /** Tries once. The signal aborts after 30 s; no second try starts before this one has settled. What it throws is logged. */
  run(signal: AbortSignal): unknown
  /** Failed runs in a row before the first try. @default 3 */
  readonly afterFailures?: number
  /** From the end of a try to the next, in milliseconds. @default 60000 */
  readonly cooldownMs?: number
  /** Tries before it is given up, until the check is usable again. @default 5 */
  readonly maxAttempts?: number
}

/** How healing a check goes. A try that succeeded has ended without an error: whether the check is usable again, its next run says. */
export interface HealStep {
  /** The check's name. */
  readonly name: string
  readonly kind: 'started' | 'succeeded' | 'failed' | 'exhausted'
  /** Which try, from 1 on. */
  readonly attempt: number
  /** Why it failed. */
  readonly problem?: Problem
}
