import type { Gauges } from '../vocabulary/check.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { VerdictState } from '../vocabulary/verdict-transition.ts'
import type { HealthCheckStatus, Pool, Readiness, ReadyCheckStatus, Verdict } from '../vocabulary/view.ts'
import { problem } from './problem.ts'

/** The readiness answer while a check times out. */
export type FailDirection = 'not_ready' | 'ready'

/** How much a failing check weighs in the verdict. */
export type Weight = 'unhealthy' | 'degraded'

/** The reading of one check. */
export interface Seen {
  readonly name: string
  readonly reading: Reading
}

/** The reading of one check with its weight in the verdict. */
export interface Weighed extends Seen {
  readonly weight: Weight
}

const READY_WORDS = {
  usable: 'ready',
  unusable: 'not_ready',
  timed_out: 'timed_out',
} as const satisfies Record<Reading['status'], ReadyCheckStatus>

const HEALTH_WORDS = {
  usable: 'healthy',
  unusable: 'unhealthy',
  timed_out: 'timed_out',
} as const satisfies Record<Reading['status'], HealthCheckStatus>

/** Ready when every check is usable. A timed-out check follows the fail direction; `ready` applies only to a check that has been usable before. */
export function decideReadiness(seen: readonly Seen[], direction: FailDirection): Readiness {
  const passes = ({ status, wasUsable }: Reading): boolean =>
    status === 'usable' || (status === 'timed_out' && direction === 'ready' && wasUsable)
  return {
    status: seen.every(({ reading }) => passes(reading)) ? 'ready' : 'not_ready',
    checks: Object.fromEntries(seen.map(({ name, reading }) => [name, READY_WORDS[reading.status]])),
  }
}

/**
 * Returns the worst weight of any failing check; `degradedBy` names further causes that degrade it. With `isEmpty` (no
 * database and no critical check) nothing is known, which is unhealthy.
 */
export function decideVerdict(
  seen: readonly Weighed[],
  { isEmpty, degradedBy = [] }: { readonly isEmpty: boolean; readonly degradedBy?: readonly string[] },
): Verdict & { readonly status: VerdictState } {
  const failing = seen.filter(({ reading }) => reading.status !== 'usable')
  const causes = [...failing.map(({ name }) => name), ...degradedBy]
  const isUnhealthy = isEmpty || failing.some(({ weight }) => weight === 'unhealthy')
  return {
    status: isUnhealthy ? 'unhealthy' : causes.length > 0 ? 'degraded' : 'healthy',
    checks: Object.fromEntries(seen.map(({ name, reading }) => [name, HEALTH_WORDS[reading.status]])),
    causes,
  }
}

/** Decides the pool answer from the last run alone, without hysteresis: `error` when the run itself failed, `degraded` for any other unusable result. */
export function decidePool(
  database:
    | { readonly alias: string; readonly vendor: string; readonly reading: Reading; readonly gauges: Gauges }
    | undefined,
): Pool {
  if (database === undefined) {
    const outcome = { kind: 'unusable', problem: problem('NO_DATABASE') } as const
    return { status: 'degraded', alias: 'default', vendor: 'none', isUsable: false, gauges: {}, outcome }
  }
  const { alias, vendor, gauges, reading } = database
  const outcome = reading.latest ?? ({ kind: 'unusable', problem: problem('NOT_CHECKED') } as const)
  if (outcome.kind === 'usable') return { status: 'healthy', alias, vendor, isUsable: true, gauges }
  return {
    status: outcome.kind === 'erred' ? 'error' : 'degraded',
    alias,
    vendor,
    isUsable: false,
    gauges,
    outcome,
  }
}
