/** How a part of this process is. `unknown`: it cannot be told, which counts as degraded. */
export const WATCHDOG_STATUSES = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const

export type WatchdogStatus = (typeof WATCHDOG_STATUSES)[number]

/**
 * Looks at one part of this process. The signal aborts at the look's timeout; what throws, rejects, hangs or answers with
 * another word reads `unknown`. No second look starts before the first has settled.
 */
export type WatchdogLook = (signal: AbortSignal) => WatchdogStatus | Promise<WatchdogStatus>

/** What one look at all components saw. */
export interface WatchdogReport {
  /** The worst of them. */
  readonly status: Exclude<WatchdogStatus, 'unknown'>
  /** By name; one that is off is absent. */
  readonly components: Readonly<Record<string, WatchdogStatus>>
  /** When the look ended: milliseconds since 1970, by this host's clock. */
  readonly at: number
}

/** A component has been bad for long, or is well again after that was told. */
export interface Escalation {
  readonly kind: 'escalation' | 'recovery'
  readonly component: string
  /** What it reads now. */
  readonly status: WatchdogStatus
  /** When it was first seen to be bad: milliseconds since 1970, by this host's clock. */
  readonly since: number
  /** When this was found. */
  readonly at: number
  /** The service's namespace, where it has one. */
  readonly namespace?: string
}
