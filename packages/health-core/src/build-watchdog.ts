import { createLoopMeter } from './checks/event-loop/loop-meter.ts'
import { measureMemory } from './checks/memory/measure-memory.ts'
import type { CheckSlot } from './engine/check-slot.ts'
import { createComponent } from './engine/component.ts'
import { createEscalations } from './engine/escalations.ts'
import { gaugesOf } from './engine/gauges.ts'
import { createNotifier, type Notifier } from './engine/notifier.ts'
import { NOTHING_TO_REPORT } from './engine/self-report.ts'
import { createWatchdog, type Watchdog } from './engine/watchdog.ts'
import { seenTwice } from './machinery/seen-twice.ts'
import {
  ESCALATION,
  EVENT_LOOP,
  MEMORY,
  MEMORY_FALL,
  NOTICE,
  OUTSTANDING_MS,
  SECOND_LOOK_MS,
} from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import type { WatchdogSettings } from './options/watchdog.ts'
import { judgeEventLoop } from './rules/judge-event-loop.ts'
import { judgeMemory } from './rules/judge-memory.ts'
import { isSaturated } from './rules/judge-pool.ts'
import { tell } from './rules/problem.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { WatchdogReport } from './vocabulary/watchdog.ts'

type LookAt = (signal: AbortSignal) => unknown

/** What the verdict can say about its own working. */
export interface CacheFacts {
  isStoreThere(): Promise<boolean>
  refreshSinceMs(): number
}

interface BuiltWatchdog extends Watchdog {
  /** What the event loop went through so far was the start, and does not count. */
  started(): void
}

const degradedIf = (isBad: boolean): 'degraded' | 'healthy' => (isBad ? 'degraded' : 'healthy')

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

/** Whoever is told when a component stays bad. */
function escalationsOf(
  { onEscalate, webhookUrl, namespace }: WatchdogSettings,
  { clock, logger }: { readonly clock: Settings['clock']; readonly logger: Logger },
): { readonly see: (report: WatchdogReport, now: number) => void; readonly notifier: Notifier | undefined } {
  const notifier =
    webhookUrl === undefined
      ? undefined
      : createNotifier(
          {
            origin: new URL(webhookUrl).origin,
            post: async (notice, signal) => {
              // HTTP is loaded by those who use it
              const { postNotice } = await import('./webhook/post-notice.ts')
              return postNotice(webhookUrl, notice, signal)
            },
          },
          NOTICE,
          { clock, logger },
        )
  const failed = (error: unknown): void => logger.error(`watchdog: onEscalate failed: ${tell(error)}`)
  const see = createEscalations(ESCALATION, (found) => {
    const escalation = namespace === undefined ? found : { ...found, namespace }
    notifier?.send(escalation)
    try {
      // an async one's rejection must not become an unhandled one
      Promise.resolve(onEscalate?.(escalation)).catch(failed)
    } catch (error) {
      failed(error)
    }
  })
  return { see, notifier }
}

/** Puts the watchdog's parts together; one that is off has nothing to report. */
export function buildWatchdog(
  settings: Settings,
  slots: readonly CheckSlot[],
  cache: CacheFacts,
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
  const looks: Readonly<Record<string, LookAt | false>> = {
    event_loop: () => degradedIf(judgeEventLoop(meter.look(), limits) !== true),
    memory: memoryLook(),
    ...poolLooks(settings, slots, logger),
    cache: hasCache && (async (signal) => {
      const isThere = await seenTwice(cache.isStoreThere, (seen) => !seen, SECOND_LOOK_MS, { clock, signal })
      return degradedIf(!isThere || cache.refreshSinceMs() > 2 * verdict.refreshIntervalMs)
    }),
    checks: () => degradedIf(slots.some((slot) => slot.outstandingMs() > OUTSTANDING_MS)),
    ...told.components,
  }
  const components = Object.entries(looks).flatMap(([name, look]) =>
    look === false ? [] : [createComponent(name, look, told.timeoutMs, { clock, logger })],
  )
  const { see, notifier } = escalationsOf(told, { clock, logger })
  const watchdog = createWatchdog(components, told.intervalMs, { clock, logger }, (report, beganAt, isNews) => {
    see(report, beganAt)
    onLook(report, isNews)
  })
  return {
    ...watchdog,
    started: () => void meter.look(),
    stop: () => {
      watchdog.stop()
      meter.stop()
      notifier?.stop()
    },
  }
}
