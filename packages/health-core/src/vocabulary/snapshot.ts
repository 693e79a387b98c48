import type { Gauges } from './check.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { Readiness, Verdict } from './view.ts'
import type { WatchdogReport } from './watchdog.ts'

/** The origin of a `/health` answer: cache tiers L1 and L2, computed (L3), or `nocache` (BYPASSED). */
export type Hit = 'L1' | 'L2' | 'L3' | 'BYPASSED'

/** The state of one check. */
export interface CheckSnapshot {
  /** Name in readiness, events and logs. */
  readonly name: string
  /** Name in the verdict: the default database is `database` there. */
  readonly healthName: string
  /** Kind of the dependency; `unknown` when the check names none. */
  readonly vendor: string
  /** Whether the check counts for readiness. */
  readonly critical: boolean
  /** Status after `fall` and `rise`; `unknown` before the first run has ended. */
  readonly status: 'usable' | 'unusable' | 'timed_out' | 'unknown'
  /** Outcome of the last run; absent before the first one has ended. */
  readonly latest?: Outcome
  /** Milliseconds since the end of the last run; absent before the first one has ended. */
  readonly ageMs?: number
  /** Milliseconds since the start of the outstanding run; 0 when there is none. */
  readonly runningMs: number
  /** The current result of the check's `stats`; empty when it has none. */
  readonly gauges: Gauges
}

/** Everything a health knows at one moment. */
export interface HealthSnapshot {
  /** The phase of the instance's life. */
  readonly phase: Phase
  /** The verdict from the results known now, whatever their age. */
  readonly verdict: Verdict
  /** The readiness from the results known now, whatever their age. */
  readonly readiness: Readiness
  /** The state of every check, databases first. */
  readonly checks: readonly CheckSnapshot[]
  /** The watchdog's last report; absent while it is off and before the first look has ended. */
  readonly watchdog?: WatchdogReport
  /** Number of `/health` answers by origin, since the start. */
  readonly answers: Readonly<Record<Hit, number>>
}
