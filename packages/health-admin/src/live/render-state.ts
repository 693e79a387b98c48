import type { CheckSnapshot, HealthSnapshot, Problem, Verdict, VerdictTransition } from '@baldur/health-core'
import { logMessage, publicMessage } from '@baldur/health-core/internal'
import type { AdminState, CheckState, InstanceState, RecentRun } from './state.ts'

/** What is known at one moment. */
export interface Seen {
  /** Milliseconds since 1970. */
  readonly wall: number
  readonly snapshot: HealthSnapshot
  /** Takes the place of the verdict that is known. */
  readonly broken: Verdict | undefined
  readonly history: readonly VerdictTransition[]
  readonly isHealingOn: boolean
  readonly inFlight: number | undefined
  readonly recentOf: (name: string) => readonly RecentRun[]
  readonly instance: InstanceState
  /** Whoever reads it has shown a key, and may read what drivers say. */
  readonly isTrusted: boolean
}

const STATUSES = {
  usable: 'healthy',
  unusable: 'unhealthy',
  timed_out: 'timed_out',
  unknown: 'unknown',
} as const satisfies Record<CheckSnapshot['status'], CheckState['status']>

const iso = (ms: number): string => new Date(ms).toISOString()
const whole = (ms: number): number => Math.round(ms)

/** What the verdict says of it; that a check has not been seen yet is told as that, not as a failure. */
function statusOf({ healthName, status }: CheckSnapshot, verdict: Verdict): CheckState['status'] {
  const told = verdict.checks[healthName] ?? STATUSES[status]
  return status === 'unknown' && told === 'unhealthy' ? 'unknown' : told
}

function renderCheck(check: CheckSnapshot, { snapshot: { verdict }, recentOf, isTrusted }: Seen): CheckState {
  const { name, healthName, vendor, critical, latest, ageMs, runningMs, gauges } = check
  const recent = recentOf(name)
  const words = (problem: Problem): string => (isTrusted ? logMessage : publicMessage)(problem)
  const last = recent.at(-1)
  return {
    name: healthName,
    status: statusOf(check, verdict),
    critical,
    ...(vendor === 'unknown' ? {} : { vendor }),
    ...(ageMs === undefined ? {} : { age_ms: whole(ageMs) }),
    running_ms: whole(runningMs),
    ...(last === undefined ? {} : { duration_ms: last.ms }),
    ...(latest === undefined || latest.kind === 'usable' ? {} : { problem: words(latest.problem) }),
    gauges,
    recent,
  }
}

/** Checks that a verdict knows and no snapshot does: what the app's own answers say. */
function renderFurther({ snapshot: { verdict, checks } }: Seen): readonly CheckState[] {
  const known = new Set(checks.map(({ healthName }) => healthName))
  return Object.entries(verdict.checks)
    .filter(([name]) => !known.has(name))
    .map(([name, status]) => ({ name, status, critical: true, running_ms: 0, gauges: {}, recent: [] }))
}

/** What was seen, as it is sent to those who watch. */
export function renderState(seen: Seen): AdminState {
  const { wall, snapshot, broken, history, isHealingOn, inFlight, instance } = seen
  const { phase, readiness, watchdog } = snapshot
  const verdict = broken ?? snapshot.verdict
  return {
    at: iso(wall),
    status: verdict.status,
    causes: verdict.causes,
    readiness: readiness.status,
    phase,
    ...(inFlight === undefined ? {} : { in_flight: inFlight }),
    self_healing: isHealingOn,
    checks: [...snapshot.checks.map((check) => renderCheck(check, seen)), ...renderFurther(seen)],
    ...(watchdog === undefined ? {} : { watchdog: { ...watchdog, at: iso(watchdog.at) } }),
    history: history.map((move) => ({ ...move, at: iso(move.at) })),
    instance,
  }
}
