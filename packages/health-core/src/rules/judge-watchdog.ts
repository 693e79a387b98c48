import { WATCHDOG_STATUSES, type WatchdogReport, type WatchdogStatus } from '../vocabulary/watchdog.ts'

const SEVERITY = { healthy: 0, degraded: 1, unknown: 1, unhealthy: 2 } as const satisfies Record<
  WatchdogStatus,
  number
>
const WORDS = ['healthy', 'degraded', 'unhealthy'] as const

/** The worst status wins; unknown counts as degraded. */
export function worstOf(statuses: readonly WatchdogStatus[]): WatchdogReport['status'] {
  return WORDS[Math.max(0, ...statuses.map((status) => SEVERITY[status]))] ?? 'unhealthy'
}

/** Turns the result of a look into a status; any other value reads `unknown`. */
export function statusOf(answered: unknown): WatchdogStatus {
  return WATCHDOG_STATUSES.find((word) => word === answered) ?? 'unknown'
}
