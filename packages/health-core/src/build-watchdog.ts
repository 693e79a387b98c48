import { buildEscalations } from './build-escalations.ts'
import { createLoopMeter } from './checks/event-loop/loop-meter.ts'
import { measureMemory } from './checks/memory/measure-memory.ts'
import type { CheckSlot } from './engine/check-slot.ts'
import { createComponent } from './engine/component.ts'
import { gaugesOf } from './engine/gauges.ts'
import { NOTHING_TO_REPORT } from './engine/self-report.ts'
import { createWatchdog, type Watchdog } from './engine/watchdog.ts'
import { seenTwice } from './machinery/seen-twice.ts'
import { EVENT_LOOP, MEMORY, MEMORY_FALL, OUTSTANDING_MS, SECOND_LOOK_MS } from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import { judgeEventLoop } from './rules/judge-event-loop.ts'
import { judgeMemory } from './rules/judge-memory.ts'
import { isSaturated } from './rules/judge-pool.ts'
import { statusOf } from './rules/judge-watchdog.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { WatchdogLook, WatchdogReport } from './vocabulary/watchdog.ts'

type LookAt = (signal: AbortSignal) => unknown

/** What it asks the rest of the health. */
interface Facts {
  /** Loading holds the event loop up, and is none of its business. */
  isStarting(): boolean
  isStoreThere(): Promise<boolean>
  refreshSinceMs(): number
}

interface BuiltWatchdog extends Watchdog {
  /** What the event loop went through so far was the start, and does not count. */
  started(): void
}

const degradedIf = (isBad: boolean): 'degraded' | 'healthy' => (isBad ? 'degraded' : 'healthy')

/** One of ours may answer nothing, and is off then; one that a user adds answers with a status. */
const answered =
  (look: WatchdogLook): LookAt =>
  async (signal) =>
    statusOf(await look(signal))

/** Of these looks in a row the last must all be bad: a peak that the next collection frees is no leak. */
function memoryLook(): LookAt {
  let row = 0
  return async () => {
    row = judgeMemory(await measureMemory(), MEMORY.maxPercent.default) === true ? 0 : row + 1
    return degradedIf(row >= MEMORY_FALL)
  }
}

/** A pool is looked at where its gauges tell who waits. */
function poolLooks(settings: Settings, slots: readonly CheckSlot[], logger: Logger): Record<string, LookAt> {
  const { clock } = settings
  const looks = slots.flatMap(({ entry: { alias, check } }): [string, LookAt][] => {
    if (alias === undefined || check.stats === undefined) return []
    const look = (): boolean | undefined => isSaturated(gaugesOf(check, logger))
    return [
      [
        `pool_${alias}`,
        async (signal) => {
          const isFull = await seenTwice(look, (seen) => seen === true, SECOND_LOOK_MS, { clock, signal })
          return isFull === undefined ? undefined : degradedIf(isFull)
        },
      ],
    ]
  })
  return Object.fromEntries(looks)
}

/** Puts the watchdog's parts together; one that is off has nothing to report. */
export function buildWatchdog(
  settings: Settings,
  slots: readonly CheckSlot[],
  facts: Facts,
  logger: Logger,
  onLook: (report: WatchdogReport, isNews: boolean) => void,
): BuiltWatchdog {
  const { clock, verdict, share, watchdog: told } = settings
  const nothing = (): void => undefined
  if (told === undefined) return { ...NOTHING_TO_REPORT, begin: nothing, stop: nothing, started: nothing }
  const meter = createLoopMeter(clock)
  const limits = {
    maxDelayMs: EVENT_LOOP.maxDelayMs.default,
    maxUtilizationPercent: EVENT_LOOP.maxUtilizationPercent.default,
  }
  const hasCache = share !== undefined || verdict.refresh
  const lookAtLoop: LookAt = () => {
    const isHeldUp = judgeEventLoop(meter.look(), limits) !== true
    return degradedIf(isHeldUp && !facts.isStarting())
  }
  const looks: Readonly<Record<string, LookAt | false>> = {
    event_loop: lookAtLoop,
    memory: memoryLook(),
    ...poolLooks(settings, slots, logger),
    cache:
      hasCache &&
      (async (signal) => {
        const isThere = await seenTwice(facts.isStoreThere, (seen) => !seen, SECOND_LOOK_MS, {
          clock,
          signal,
        })
        return degradedIf(!isThere || facts.refreshSinceMs() > 2 * verdict.refreshIntervalMs)
      }),
    checks: () => degradedIf(slots.some((slot) => slot.outstandingMs() > OUTSTANDING_MS)),
    ...Object.fromEntries(
      Object.entries(told.components).map(([name, look]) => [name, look && answered(look)]),
    ),
  }
  const components = Object.entries(looks).flatMap(([name, look]) =>
    look === false ? [] : [createComponent(name, look, told.timeoutMs, { clock, logger })],
  )
  const escalations = buildEscalations(told, { clock, logger })
  const watchdog = createWatchdog(
    components,
    told.intervalMs,
    { clock, logger },
    (report, beganAt, isNews) => {
      escalations.see(report, beganAt)
      onLook(report, isNews)
    },
  )
  let isStopped = false
  return {
    ...watchdog,
    started: () => {
      if (!isStopped && looks.event_loop === lookAtLoop) meter.look()
    },
    stop: () => {
      isStopped = true
      watchdog.stop()
      meter.stop()
      escalations.stop()
    },
  }
}
