import type { Clock } from '../machinery/clock.ts'
import { worstOf } from '../rules/judge-watchdog.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { WatchdogReport, WatchdogStatus } from '../vocabulary/watchdog.ts'
import type { Component, Look } from './component.ts'
import type { SelfReport } from './self-report.ts'

/** Inspects the process itself at an interval. At worst it degrades the verdict. */
export interface Watchdog extends SelfReport {
  /** The report of the last look; undefined before the first one has ended. */
  readonly report: WatchdogReport | undefined
  /** Schedules the first look with the next timers: a short script that only creates a health runs none. */
  start(): void
  /** Stops looking; the last report stays. */
  stop(): void
}

/** `onLook` receives each report, the time at which its look began, and whether any status changed. */
export function createWatchdog(
  components: readonly Component[],
  intervalMs: number,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  onLook: (report: WatchdogReport, beganAt: number, hasChanged: boolean) => void,
): Watchdog {
  let report: WatchdogReport | undefined
  let looks = 0
  let isStopped = false
  let cancel: (() => void) | undefined

  const bad = (): readonly string[] =>
    Object.entries(report?.components ?? {})
      .filter(([, status]) => status !== 'healthy')
      .map(([name]) => `watchdog.${name}`)

  /** Logs one line when a component's status changes; returns whether it did. */
  const compare = (name: string, { status, why }: Look): boolean => {
    const before = report?.components[name]
    if (status === before) return false
    if (status === undefined || status === 'healthy') {
      if (before !== undefined && before !== 'healthy') logger.warn(`watchdog: ${name} is ${status ?? 'off'}`)
      return true
    }
    logger.warn(`watchdog: ${name} is ${status}${why === undefined ? '' : `: ${why}`}`)
    return true
  }

  const look = async (): Promise<void> => {
    const beganAt = clock.now()
    const seen = await Promise.all(components.map((one) => one.look()))
    if (isStopped) return
    const changes = components.map(({ name }, index) => compare(name, seen[index] ?? {}))
    const statuses = components.flatMap(({ name }, index): [string, WatchdogStatus][] => {
      const status = seen[index]?.status
      return status === undefined ? [] : [[name, status]]
    })
    report = {
      status: worstOf(statuses.map(([, status]) => status)),
      components: Object.fromEntries(statuses),
      at: clock.wall(),
    }
    looks += 1
    cancel = clock.after(Math.max(0, beganAt + intervalMs - clock.now()), () => void look())
    onLook(report, beganAt, changes.includes(true))
  }

  return {
    start: () => {
      cancel = clock.after(0, () => void look())
    },
    stop: () => {
      isStopped = true
      cancel?.()
      for (const component of components) component.stop()
    },
    get report() {
      return report
    },
    causes: bad,
    fields: () =>
      report === undefined
        ? {}
        : {
            watchdog_status: report.status,
            watchdog_components: report.components,
            watchdog_last_check: new Date(report.at).toISOString(),
          },
    version: () => looks,
  }
}
