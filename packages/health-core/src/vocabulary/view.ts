import type { Gauges } from './check.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { VerdictState } from './verdict-transition.ts'

/** Phases that take the place of a status. */
export type PhaseStatus = Extract<Phase, 'starting' | 'failed' | 'draining'>

export type ReadyCheckStatus = 'ready' | 'not_ready' | 'timed_out'
export type ReadinessStatus = 'ready' | 'not_ready' | PhaseStatus

/** The answer to: can this instance serve traffic? */
export interface Readiness {
  readonly status: ReadinessStatus
  /** By name; empty while starting, failed or draining. */
  readonly checks: Readonly<Record<string, ReadyCheckStatus>>
}

export type HealthCheckStatus = 'healthy' | 'unhealthy' | 'timed_out'
/** Our own code broke: once or twice, or so often that it is left alone for a while. */
export type BrokenStatus = 'error' | 'unavailable'
export type VerdictStatus = VerdictState | PhaseStatus | BrokenStatus

/** The full picture, with its cause. */
export interface Verdict {
  readonly status: VerdictStatus
  /** By name; empty while starting, failed or draining, and when our own code broke. */
  readonly checks: Readonly<Record<string, HealthCheckStatus>>
  /** The names of the checks, and of what else the process says of itself, that make it worse than healthy. */
  readonly causes: readonly string[]
}

export type PoolStatus = 'healthy' | 'degraded' | 'error' | Extract<PhaseStatus, 'draining'>

/** Whether the default database's connection is usable, and the gauges of its pool. */
export interface Pool {
  readonly status: PoolStatus
  readonly alias: string
  readonly vendor: string
  readonly isUsable: boolean
  readonly gauges: Gauges
  /** Absent when healthy and while draining. */
  readonly outcome?: Exclude<Outcome, { kind: 'usable' }>
}
