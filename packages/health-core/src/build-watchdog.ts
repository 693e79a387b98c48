import { buildEscalations } from './build-escalations.ts'
import { buildLooks, type Facts, type LookAt } from './build-looks.ts'
import { createLoopMeter } from './checks/event-loop/loop-meter.ts'
import type { CheckSlot } from './engine/check-slot.ts'
import { createComponent } from './engine/component.ts'
import { NOTHING_TO_REPORT } from './engine/self-report.ts'
import { createWatchdog, type Watchdog } from './engine/watchdog.ts'
import type { Settings } from './options/settings.ts'
import { statusOf } from './rules/judge-watchdog.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { WatchdogLook, WatchdogReport } from './vocabulary/watchdog.ts'

interface BuiltWatchdog extends Watchdog {
  /** Resets the event loop meter: delays during the start do not count. */
  onStarted(): void
  /** Stops looking; pending escalations are still sent. */
  stopLooks(): void
}

const nothing = (): void => undefined
const OFF: BuiltWatchdog = {
  ...NOTHING_TO_REPORT,
  report: undefined,
  start: nothing,
  onStarted: nothing,
  stopLooks: nothing,
  stop: nothing,
}

/** A user's look must return a status; only a built-in look may return undefined (off). */
const withStatus =
  (look: WatchdogLook): LookAt =>
  async (signal) =>
    statusOf(await look(signal))

/** Builds the watchdog from its parts; a watchdog that is off reports nothing. */
export function buildWatchdog(
  settings: Settings,
  slots: readonly CheckSlot[],
  facts: Facts,
  logger: Logger,
  onLook: (report: WatchdogReport, hasChanged: boolean) => void,
): BuiltWatchdog {
  const { clock, watchdog: watchdogOptions } = settings
  if (watchdogOptions === undefined) return OFF
  const outside = { clock, logger }
  const meter = createLoopMeter(clock)
  const userLooks = Object.entries(watchdogOptions.components).map(
    ([name, look]): [string, LookAt | false] => [name, look && withStatus(look)],
  )
  const looks = {
    ...buildLooks(settings, slots, { ...facts, meter }, logger),
    ...Object.fromEntries(userLooks),
  }
  const components = Object.entries(looks).flatMap(([name, look]) =>
    look === false ? [] : [createComponent(name, look, watchdogOptions.timeoutMs, outside)],
  )
  const escalations = buildEscalations(watchdogOptions, settings.namespace, outside)
  const watchdog = createWatchdog(
    components,
    watchdogOptions.intervalMs,
    outside,
    (report, beganAt, hasChanged) => {
      escalations.see(report, beganAt)
      onLook(report, hasChanged)
    },
  )
  // no meter runs when the event loop component is off or replaced
  let isResting = watchdogOptions.components.event_loop !== undefined
  const rest = (): void => {
    isResting = true
    watchdog.stop()
    meter.stop()
  }
  return {
    ...watchdog,
    get report() {
      return watchdog.report
    },
    onStarted: () => {
      if (!isResting) meter.look()
    },
    stopLooks: rest,
    stop: () => {
      rest()
      escalations.stop()
    },
  }
}
