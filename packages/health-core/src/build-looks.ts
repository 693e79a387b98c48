import type { LoopMeter } from './checks/event-loop/loop-meter.ts'
import { measureMemory } from './checks/memory/measure-memory.ts'
import type { CheckSlot } from './engine/check-slot.ts'
import { gaugesOf } from './engine/gauges.ts'
import { seenTwice } from './machinery/seen-twice.ts'
import { EVENT_LOOP, MEMORY, MEMORY_FALL, OUTSTANDING_MS, SECOND_LOOK } from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import { judgeEventLoop } from './rules/judge-event-loop.ts'
import { judgeMemory } from './rules/judge-memory.ts'
import { isSaturated } from './rules/judge-pool.ts'
import type { Logger } from './vocabulary/logger.ts'

/** Inspects one component; undefined means that the component is off for now. */
export type LookAt = (signal: AbortSignal) => unknown

/** What the watchdog reads from the rest of the health. */
export interface Facts {
  /** While the instance starts, a blocked event loop is expected (modules load). */
  isStarting(): boolean
  isStoreReachable(): Promise<boolean>
  refreshSinceMs(): number
}

const degradedIf = (isBad: boolean): 'degraded' | 'healthy' => (isBad ? 'degraded' : 'healthy')

function loopLook(meter: LoopMeter, isStarting: Facts['isStarting']): LookAt {
  const limits = {
    maxDelayMs: EVENT_LOOP.maxDelayMs.default,
    maxUtilizationPercent: EVENT_LOOP.maxUtilizationPercent.default,
  }
  return () => {
    const isHeldUp = judgeEventLoop(meter.look(), limits) !== true
    return degradedIf(isHeldUp && !isStarting())
  }
}

/** Degraded only after several bad looks in a row: a peak that the next garbage collection frees is no leak. */
function memoryLook(): LookAt {
  let consecutive = 0
  return async () => {
    consecutive = judgeMemory(await measureMemory(), MEMORY.maxPercent.default) === true ? 0 : consecutive + 1
    return degradedIf(consecutive >= MEMORY_FALL)
  }
}

/** The pause between two looks that must both be bad; a short timeout shortens it so that both looks fit. */
const pauseWithin = (timeoutMs: number): number =>
  Math.min(SECOND_LOOK.pauseMs, Math.floor(timeoutMs / SECOND_LOOK.partOfTimeout))

/** Inspects each pool whose gauges report waiting callers. */
function poolLooks(
  slots: readonly CheckSlot[],
  pauseMs: number,
  clock: Settings['clock'],
  logger: Logger,
): Readonly<Record<string, LookAt>> {
  const looks = slots.flatMap(({ entry: { alias, check } }): [string, LookAt][] => {
    if (alias === undefined || check.stats === undefined) return []
    const isFull = (): boolean | undefined => isSaturated(gaugesOf(check, logger))
    const look: LookAt = async (signal) => {
      const seen = await seenTwice(isFull, (full) => full === true, pauseMs, { clock, signal })
      return seen === undefined ? undefined : degradedIf(seen)
    }
    return [[`pool_${alias}`, look]]
  })
  return Object.fromEntries(looks)
}

function cacheLook({ clock, verdict }: Settings, pauseMs: number, facts: Facts): LookAt {
  return async (signal) => {
    const isThere = await seenTwice(facts.isStoreReachable, (there) => !there, pauseMs, { clock, signal })
    return degradedIf(!isThere || facts.refreshSinceMs() > 2 * verdict.refreshIntervalMs)
  }
}

/** The built-in looks of the watchdog, by component name. */
export function buildLooks(
  settings: Settings,
  slots: readonly CheckSlot[],
  { meter, ...facts }: Facts & { readonly meter: LoopMeter },
  logger: Logger,
): Readonly<Record<string, LookAt>> {
  const { share, verdict, clock, watchdog } = settings
  // for the compiler only: no looks are built while the watchdog is off
  const pauseMs = pauseWithin(watchdog?.timeoutMs ?? Number.POSITIVE_INFINITY)
  return {
    event_loop: loopLook(meter, facts.isStarting),
    memory: memoryLook(),
    ...poolLooks(slots, pauseMs, clock, logger),
    ...(share !== undefined || verdict.refresh ? { cache: cacheLook(settings, pauseMs, facts) } : {}),
    checks: () => degradedIf(slots.some((slot) => slot.outstandingMs() > OUTSTANDING_MS)),
  }
}
