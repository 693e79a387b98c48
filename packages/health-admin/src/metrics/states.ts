import type {
  Hit,
  Outcome,
  Phase,
  ReadinessStatus,
  VerdictState,
  VerdictStatus,
  WatchdogReport,
  WatchdogStatus,
} from '@baldur/health-core'
import type { CheckState } from '../live/state.ts'

/** The words of a type as a list: one that is missing or too much does not compile. */
const every = <Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] =>
  Object.keys(words) as Word[]

export const CONDITIONS: readonly VerdictState[] = every<VerdictState>({
  healthy: true,
  degraded: true,
  unhealthy: true,
})
export const VERDICT_STATUSES: readonly VerdictStatus[] = every<VerdictStatus>({
  healthy: true,
  degraded: true,
  unhealthy: true,
  starting: true,
  failed: true,
  draining: true,
  error: true,
  unavailable: true,
})
export const READINESS_STATUSES: readonly ReadinessStatus[] = every<ReadinessStatus>({
  ready: true,
  not_ready: true,
  starting: true,
  failed: true,
  draining: true,
})
export const PHASES: readonly Phase[] = every<Phase>({
  starting: true,
  started: true,
  failed: true,
  draining: true,
  terminating: true,
  terminated: true,
})
export const CHECK_STATUSES: readonly CheckState['status'][] = every<CheckState['status']>({
  healthy: true,
  unhealthy: true,
  timed_out: true,
  unknown: true,
})
export const OUTCOMES: readonly Outcome['kind'][] = every<Outcome['kind']>({
  usable: true,
  unusable: true,
  erred: true,
  timed_out: true,
})
export const TIERS: readonly Hit[] = every<Hit>({ L1: true, L2: true, L3: true, BYPASSED: true })
export const WATCHDOG_STATUSES: readonly WatchdogReport['status'][] = every<WatchdogReport['status']>({
  healthy: true,
  degraded: true,
  unhealthy: true,
})
export const COMPONENT_STATUSES: readonly WatchdogStatus[] = every<WatchdogStatus>({
  healthy: true,
  degraded: true,
  unhealthy: true,
  unknown: true,
})
