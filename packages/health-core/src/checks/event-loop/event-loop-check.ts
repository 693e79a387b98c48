import { systemClock } from '../../machinery/clock.ts'
import { EVENT_LOOP } from '../../options/defaults.ts'
import { createProblems } from '../../options/problems.ts'
import { readNumber } from '../../options/read-number.ts'
import { judgeEventLoop } from '../../rules/judge-event-loop.ts'
import type { Check } from '../../vocabulary/check.ts'
import { type CheckOptions, readCheckOptions } from '../read-check-options.ts'
import { createLoopMeter } from './loop-meter.ts'

/** Options of `eventLoopCheck`. */
export interface EventLoopCheckOptions extends CheckOptions {
  /** The check reads not usable when the longest delay since the last run reaches this, in milliseconds. @default 1000 */
  readonly maxDelayMs?: number
  /** The check reads not usable when the loop was busy for this share of the time since the last run, in percent. @default 95 */
  readonly maxUtilizationPercent?: number
}

/**
 * Checks the event loop of this thread since the last run; the first run begins the watch. Not critical unless you say so:
 * a busy instance that is taken out makes the others busier. `close` ends the watch. Throws a `HealthConfigError` that lists
 * every problem.
 */
export function eventLoopCheck(options: EventLoopCheckOptions = {}): Check {
  const problems = createProblems()
  const { own, policy } = readCheckOptions('eventLoopCheck', options, Object.keys(EVENT_LOOP), problems)
  const number = (key: keyof typeof EVENT_LOOP): number =>
    readNumber(`eventLoopCheck.${key}`, own[key], EVENT_LOOP[key], problems)
  const limits = {
    maxDelayMs: number('maxDelayMs'),
    maxUtilizationPercent: number('maxUtilizationPercent'),
  }
  problems.throwIfAny()
  const meter = createLoopMeter(systemClock)
  return {
    name: 'event_loop',
    critical: false,
    ...policy,
    run: () => judgeEventLoop(meter.look(), limits),
    close: async () => meter.stop(),
  }
}
