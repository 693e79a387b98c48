/** The statuses of a component of this process. `unknown`: the look failed, which counts as degraded. */
export const WATCHDOG_STATUSES = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const

/** The status of one watchdog component. */
export type WatchdogStatus = (typeof WATCHDOG_STATUSES)[number]

/**
 * Inspects one component of this process. The signal aborts at the look's timeout; a look that throws, rejects, hangs or
 * returns another value reads `unknown`. No second look starts before the first has settled.
 */
export type WatchdogLook = (signal: AbortSignal) => WatchdogStatus | Promise<WatchdogStatus>

/** The result of one look at all components. */
export interface WatchdogReport {
  /** The worst component status; `unknown` counts as degraded. */
  readonly status: Exclude<WatchdogStatus, 'unknown'>
  /** Status by component name; a component that is off is absent. */
  readonly components: Readonly<Record<string, WatchdogStatus>>
  /** When the look ended: milliseconds since 1970, by this host's clock. */
  readonly at: number
}

/** A component has stayed bad for long, or is healthy again after an escalation. */
export interface Escalation {
  readonly kind: 'escalation' | 'recovery'
  /** The component's name. */
  readonly component: string
  /** Its current status. */
  readonly status: WatchdogStatus
  /** When it was first found bad: milliseconds since 1970, by this host's clock. */
  readonly since: number
  /** When this was found: milliseconds since 1970, by this host's clock. */
  readonly at: number
  /** The service's name; absent when it has none. */
  readonly namespace?: string
}
