import type { Phase, ReadinessStatus, VerdictState, VerdictStatus, WatchdogStatus } from '@baldur/health-core'

/** One run of a check: how long it took in milliseconds, and whether it was usable. */
export interface RecentRun {
  readonly ms: number
  readonly ok: boolean
}

/** One check, as the page shows it. */
export interface CheckState {
  /** The name that it has in `/health`. */
  readonly name: string
  readonly status: 'healthy' | 'unhealthy' | 'timed_out' | 'unknown'
  readonly critical: boolean
  readonly vendor?: string
  /** Since its last run ended; absent before. */
  readonly age_ms?: number
  /** For how long a run has been outstanding; 0 when none is. */
  readonly running_ms: number
  /** How long its last run took; absent before. */
  readonly duration_ms?: number
  /** What is wrong, in words that this caller may read; absent while nothing is. */
  readonly problem?: string
  readonly gauges: Readonly<Record<string, string | number | boolean>>
  /** The last 60 runs, oldest first. */
  readonly recent: readonly RecentRun[]
}

/** A move of the verdict. */
export interface MoveState {
  readonly from: VerdictState
  readonly to: VerdictState
  readonly cause: string
  /** ISO 8601. */
  readonly at: string
}

/** Who answers. */
export interface InstanceState {
  readonly host: string
  readonly pid: number
  readonly node: string
  /** ISO 8601. */
  readonly started_at: string
  readonly version?: string
  readonly namespace?: string
}

/** What `/events` sends with each `state`: everything that the page shows. */
export interface AdminState {
  /** When it was made: ISO 8601, by the server's clock. */
  readonly at: string
  /** The verdict; a phase takes its place while starting, failed or draining. */
  readonly status: VerdictStatus
  /** What makes it worse than healthy. */
  readonly causes: readonly string[]
  readonly readiness: ReadinessStatus
  readonly phase: Phase
  /** Requests in flight, probes left out; absent without a drain. */
  readonly in_flight?: number
  readonly self_healing: boolean
  readonly checks: readonly CheckState[]
  /** Absent while it is off and until its first look has ended. */
  readonly watchdog?: {
    readonly status: WatchdogStatus
    readonly components: Readonly<Record<string, WatchdogStatus>>
    /** ISO 8601. */
    readonly at: string
  }
  /** The last 50 moves, oldest first. */
  readonly history: readonly MoveState[]
  readonly instance: InstanceState
}

/** What `/events` sends first, as `hello`: what this caller may do. */
export interface HelloState {
  /** `none`: no keys are set, everything can be read and nothing switched. */
  readonly role: 'none' | 'viewer' | 'operator'
}
