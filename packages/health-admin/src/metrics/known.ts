import type {
  CheckExplanation,
  HealthSnapshot,
  Readiness,
  Verdict,
  VerdictTransition,
} from '@baldur/health-core'
import type { AdminDrain } from '../options.ts'
import type { Tallies } from './tally.ts'

/** Who is measured. */
export interface Instance {
  readonly version: string | undefined
  readonly namespace: string | undefined
  readonly node: string
}

/** What is known at one scrape. What could not be known in time is absent: nothing is shown that is older than its TTL. */
export interface Known {
  readonly instance: Instance
  readonly verdict: Verdict | undefined
  readonly readiness: Readiness | undefined
  readonly snapshot: HealthSnapshot | undefined
  readonly phase: HealthSnapshot['phase'] | undefined
  readonly watchdog: HealthSnapshot['watchdog'] | undefined
  readonly history: readonly VerdictTransition[]
  readonly isSelfHealing: boolean | undefined
  readonly drain: ReturnType<AdminDrain['stats']> | undefined
  /** The checks as they were configured. */
  readonly checks: readonly CheckExplanation[]
  readonly tallies: Tallies
  /** Milliseconds since 1970, by this host's clock. */
  readonly at: number
}
