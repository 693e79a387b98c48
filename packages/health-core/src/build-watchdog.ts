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
  /** What the event loop went through so far was the start, and does not count. */
  started(): void
  /** Looks no more, and still tells what it has to tell. */
  rest(): void
}

const nothing = (): void => undefined
const OFF: BuiltWatchdog = {
  ...NOTHING_TO_REPORT,
  report: undefined,
  begin: nothing,
  started: nothing,
  rest: nothing,
  stop: nothing,
}

/** One of ours may answer nothing, and is off then; one that a user adds answers with a status. */
const answered =
  (look: WatchdogLook): LookAt =>
  async (signal) =>
    statusOf(await look(signal))

/** Puts the watchdog's parts together; one that is off has nothing to report. */
export function buildWatchdog(
  settings: Settings,
  slots: readonly CheckSlot[],
  facts: Facts,
  logger: Logger,
  onLook: (report: WatchdogReport, isNews: boolean) => void,
): BuiltWatchdog {
  const { clock, watchdog: told } = settings
  if (told === undefined) return OFF
  const outside = { clock, logger }
  const meter = createLoopMeter(clock)
  const theirs = Object.entries(told.components).map(([name, look]): [string, LookAt | false] => [
    name,
    look && answered(look),
  ])
  const looks = { ...buildLooks(settings, slots, { ...facts, meter }, logger), ...Object.fromEntries(theirs) }
  const components = Object.entries(looks).flatMap(([name, look]) =>
    look === false ? [] : [createComponent(name, look, told.timeoutMs, outside)],
  )
  const escalations = buildEscalations(told, settings.namespace, outside)
  const watchdog = createWatchdog(components, told.intervalMs, outside, (report, beganAt, isNews) => {
    escalations.see(report, beganAt)
    onLook(report, isNews)
  })
  // where the event loop is off, or somebody else's, nothing starts to measure it
  let isResting = told.components.event_loop !== undefined
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
    started: () => {
      if (!isResting) meter.look()
    },
    rest,
    stop: () => {
      rest()
      escalations.stop()
    },
  }
}
