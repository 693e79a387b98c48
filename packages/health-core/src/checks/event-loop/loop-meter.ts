import perfHooks from 'node:perf_hooks'
import type { Clock } from '../../machinery/clock.ts'
import { LOOP_SAMPLE_MS, LOOP_WINDOW_MS } from '../../options/defaults.ts'
import type { LoopFigures } from '../../rules/judge-event-loop.ts'

/** Time that the loop has spent so far, in milliseconds. */
export interface LoopTime {
  readonly active: number
  readonly idle: number
}

/** Watches the event loop that it runs in. */
export interface LoopMeter {
  /** What was seen since the last look; the first begins the watch and has seen nothing. */
  look(): LoopFigures
  /** Ends the watch; a look begins another. */
  stop(): void
}

const systemLoopTime = (): LoopTime => perfHooks.performance.eventLoopUtilization()

/**
 * Watches by a timer of its own. Node's histogram of delays loses a pause that begins before its first tick after a reset,
 * and knows of none whose tick has not come: here the tick that is due counts, so that a pause is seen also by a look that is
 * the first thing to happen after it.
 */
export function createLoopMeter(clock: Clock, loopTime: () => LoopTime = systemLoopTime): LoopMeter {
  let cancel: (() => void) | undefined
  let dueAt = 0
  let latestMs = 0
  let since: LoopTime = { active: 0, idle: 0 }

  const lateMs = (): number => Math.max(0, clock.now() - dueAt)
  const arm = (): void => {
    dueAt = clock.now() + LOOP_SAMPLE_MS
    cancel = clock.after(LOOP_SAMPLE_MS, () => {
      latestMs = Math.max(latestMs, lateMs())
      arm()
    })
  }
  const restart = (): void => {
    cancel?.()
    latestMs = 0
    arm()
  }
  const utilization = (): number | undefined => {
    const now = loopTime()
    const active = now.active - since.active
    const whole = active + now.idle - since.idle
    // what is too short to say anything of is left to the next look
    if (whole < LOOP_WINDOW_MS) return undefined
    since = now
    return active / whole
  }

  return {
    look: () => {
      if (cancel === undefined) {
        since = loopTime()
        restart()
        return { delayMs: 0 }
      }
      const delayMs = Math.max(latestMs, lateMs())
      restart()
      return { delayMs, utilization: utilization() }
    },
    stop: () => {
      cancel?.()
      cancel = undefined
    },
  }
}
