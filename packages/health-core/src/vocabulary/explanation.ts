import type { Probe } from './probe.ts'

/** The policy of one check in force; durations in milliseconds. */
export interface CheckExplanation {
  readonly name: string
  readonly critical: boolean
  readonly fall: number
  readonly rise: number
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly minIntervalMs: number
  /** Absent when the check has no `heal`. */
  readonly heal?: {
    readonly afterFailures: number
    readonly cooldownMs: number
    readonly maxAttempts: number
  }
}

/** The settings in force, from options, variables and defaults; durations in milliseconds. Contains no secrets. */
export interface HealthExplanation {
  /** The service's name; absent when it has none. */
  readonly namespace?: string
  readonly prefix: string
  readonly paths: Readonly<Record<Probe, string>>
  readonly readiness: {
    readonly budgetMs: number
    readonly cacheTtlMs: number
    readonly timeoutFailDirection: 'not_ready' | 'ready'
  }
  readonly verdict: {
    readonly budgetMs: number
    readonly refresh: boolean
    readonly l1TtlMs: number
    readonly l2TtlMs: number
    readonly refreshIntervalMs: number
    /** Check results are shared with other processes. */
    readonly isShared: boolean
  }
  readonly pool: { readonly budgetMs: number; readonly cacheTtlMs: number }
  /** Absent when the watchdog is off. */
  readonly watchdog?: { readonly intervalMs: number; readonly timeoutMs: number }
  readonly checks: readonly CheckExplanation[]
}
