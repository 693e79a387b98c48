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

/** Looks at one component; undefined: it is off at the moment. */
export type LookAt = (signal: AbortSignal) => unknown

/** What the watchdog asks the rest of the health. */
export interface Facts {
  /** Loading holds the event loop up, and is none of its business. */
  isStarting(): boolean
  isStoreThere(): Promise<boolean>
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

/** Of these looks in a row the last must all be bad: a peak that the next collection frees is no leak. */
function memoryLook(): LookAt {
  let row = 0
  return async () => {
    row = judgeMemory(await measureMemory(), MEMORY.maxPercent.default) === true ? 0 : row + 1
    return degradedIf(row >= MEMORY_FALL)
  }
}

/** Between two looks that must both be bad; with a short timeout so much shorter that both fit into it. */
const pauseWithin = (timeoutMs: number): number =>
  Math.min(SECOND_LOOK.pauseMs, Math.floor(timeoutMs / SECOND_LOOK.partOfTimeout))

/** A pool is looked at where its gauges tell who waits. */
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
    const isThere = await seenTwice(facts.isStoreThere, (there) => !there, pauseMs, { clock, signal })
    return degradedIf(!isThere || facts.refreshSinceMs() > 2 * verdict.refreshIntervalMs)
  }
}

/** What a watchdog looks at by itself, by name. */
export function buildLooks(
  settings: Settings,
  slots: readonly CheckSlot[],
  { meter, ...facts }: Facts & { readonly meter: LoopMeter },
  logger: Logger,
): Readonly<Record<string, LookAt>> {
  const { share, verdict, clock, watchdog } = settings
  // only to the compiler: a watchdog that is off builds no looks
  const pauseMs = pauseWithin(watchdog?.timeoutMs ?? Number.POSITIVE_INFINITY)
  return {
    event_loop: loopLook(meter, facts.isStarting),
    memory: memoryLook(),
    ...poolLooks(slots, pauseMs, clock, logger),
    ...(share !== undefined || verdict.refresh ? { cache: cacheLook(settings, pauseMs, facts) } : {}),
    checks: () => degradedIf(slots.some((slot) => slot.outstandingMs() > OUTSTANDING_MS)),
  }
}
