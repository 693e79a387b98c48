import type { Gauges } from '../vocabulary/check.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { VerdictState } from '../vocabulary/verdict-transition.ts'
import type { HealthCheckStatus, Pool, Readiness, ReadyCheckStatus, Verdict } from '../vocabulary/view.ts'
import { problem } from './problem.ts'

/** What a stalled check does to readiness. */
export type FailDirection = 'not_ready' | 'ready'

/** How much a failing check weighs in the verdict. */
export type Weight = 'unhealthy' | 'degraded'

/** What one check was seen to be, and what it counts for. */
export interface Seen {
  readonly name: string
  readonly reading: Reading
}

/** What was seen of a check, and how much it weighs in the verdict. */
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

/** Ready when every check is usable. A stalled one follows the fail direction, and `ready` holds only for a check that has been usable before. */
export function decideReadiness(seen: readonly Seen[], direction: FailDirection): Readiness {
  const passes = ({ status, wasUsable }: Reading): boolean =>
    status === 'usable' || (status === 'timed_out' && direction === 'ready' && wasUsable)
  return {
    status: seen.every(({ reading }) => passes(reading)) ? 'ready' : 'not_ready',
    checks: Object.fromEntries(seen.map(({ name, reading }) => [name, READY_WORDS[reading.status]])),
  }
}

/**
 * The worst that any failing check weighs; `strains` names what degrades it without being a check. With `isEmpty` (no
 * database and no critical check) nothing is known, and that is not healthy.
 */
export function decideVerdict(
  seen: readonly Weighed[],
  { isEmpty, strains = [] }: { readonly isEmpty: boolean; readonly strains?: readonly string[] },
): Verdict & { readonly status: VerdictState } {
  const failing = seen.filter(({ reading }) => reading.status !== 'usable')
  const causes = [...failing.map(({ name }) => name), ...strains]
  const isUnhealthy = isEmpty || failing.some(({ weight }) => weight === 'unhealthy')
  return {
    status: isUnhealthy ? 'unhealthy' : causes.length > 0 ? 'degraded' : 'healthy',
    checks: Object.fromEntries(seen.map(({ name, reading }) => [name, HEALTH_WORDS[reading.status]])),
    causes,
  }
}

/** What the pool endpoint says: the last run alone decides, without hysteresis. `error` when the run itself failed, `degraded` for all else that is not usable. */
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
