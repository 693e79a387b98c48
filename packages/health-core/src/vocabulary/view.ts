import type { Gauges } from './check.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { VerdictState } from './verdict-transition.ts'

/** Phases that replace a status. */
export type PhaseStatus = Extract<Phase, 'starting' | 'failed' | 'draining'>

/** The status of one check in readiness. */
export type ReadyCheckStatus = 'ready' | 'not_ready' | 'timed_out'
/** The status of readiness, or the phase that replaces it. */
export type ReadinessStatus = 'ready' | 'not_ready' | PhaseStatus

/** The answer to: can this instance serve traffic? */
export interface Readiness {
  readonly status: ReadinessStatus
  /** Status by check name; empty while starting, failed or draining. */
  readonly checks: Readonly<Record<string, ReadyCheckStatus>>
}

/** The status of one check in the verdict. */
export type HealthCheckStatus = 'healthy' | 'unhealthy' | 'timed_out'
/** Our own code failed: `error` the first times, `unavailable` while it is paused after repeated failures. */
export type BrokenStatus = 'error' | 'unavailable'
/** The status of the verdict: its state, the phase that replaces it, or our own failure. */
export type VerdictStatus = VerdictState | PhaseStatus | BrokenStatus

/** The verdict on the instance, with its causes. */
export interface Verdict {
  readonly status: VerdictStatus
  /** Status by check name; empty while starting, failed or draining, and when our own code failed. */
  readonly checks: Readonly<Record<string, HealthCheckStatus>>
  /** Names of the failing checks and bad watchdog components (`watchdog.<name>`); empty while healthy. */
  readonly causes: readonly string[]
}

/** The status of the pool endpoint. */
export type PoolStatus = 'healthy' | 'degraded' | 'error' | Extract<PhaseStatus, 'draining'>

/** Whether the default database's connection is usable, and the gauges of its pool. */
export interface Pool {
  readonly status: PoolStatus
  readonly alias: string
  readonly vendor: string
  readonly isUsable: boolean
  readonly gauges: Gauges
  /** Why the connection is not usable; absent when healthy and while draining. */
  readonly outcome?: Exclude<Outcome, { kind: 'usable' }>
}
