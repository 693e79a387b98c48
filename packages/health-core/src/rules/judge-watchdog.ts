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

/** What a look answered, as a status. Another word is none that can be trusted. */
export function statusOf(answered: unknown): WatchdogStatus {
  return WATCHDOG_STATUSES.find((word) => word === answered) ?? 'unknown'
}
