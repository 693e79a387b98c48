import type { Probe } from './probe.ts'

/** The policy of one check, in milliseconds where it is a time. */
export interface CheckExplanation {
  readonly name: string
  readonly critical: boolean
  readonly fall: number
  readonly rise: number
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly minIntervalMs: number
  /** Absent where nothing brings it back. */
  readonly heal?: {
    readonly afterFailures: number
    readonly cooldownMs: number
    readonly maxAttempts: number
  }
}

/** The numbers in force, wherever they came from: options, variables, defaults. Nothing secret is among them. */
export interface HealthExplanation {
  /** The service's name; absent where it has none. */
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
  /** Absent while it is off. */
  readonly watchdog?: { readonly intervalMs: number; readonly timeoutMs: number }
  readonly checks: readonly CheckExplanation[]
}
