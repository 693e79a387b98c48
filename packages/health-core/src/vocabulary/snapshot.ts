import type { Gauges } from './check.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { Readiness, Verdict } from './view.ts'
import type { WatchdogReport } from './watchdog.ts'

/** Where an answer to `/health` came from. */
export type Hit = 'L1' | 'L2' | 'L3' | 'BYPASSED'

/** What is known of one check. */
export interface CheckSnapshot {
  /** In readiness, events and logs. */
  readonly name: string
  /** In the verdict. */
  readonly healthName: string
  readonly vendor: string
  readonly critical: boolean
  /** After `fall` and `rise`; `unknown` before the first run has ended. */
  readonly status: 'usable' | 'unusable' | 'timed_out' | 'unknown'
  /** How the last run ended; absent before the first one has. */
  readonly latest?: Outcome
  /** Since then, in milliseconds. */
  readonly ageMs?: number
  /** For how long a run has been outstanding, in milliseconds; 0 when none is. */
  readonly runningMs: number
  /** What its `stats` says now. */
  readonly gauges: Gauges
}

/** What a health knows at this moment. */
export interface HealthSnapshot {
  readonly phase: Phase
  /** What the endpoints would say from what is known, whatever its age. */
  readonly verdict: Verdict
  readonly readiness: Readiness
  readonly checks: readonly CheckSnapshot[]
  /** Its last look; absent while it is off and until the first one has ended. */
  readonly watchdog?: WatchdogReport
  /** How many answers to `/health` came from where, since the start. */
  readonly answers: Readonly<Record<Hit, number>>
}
