import type { CheckResult } from '../vocabulary/check.ts'

/** What the event loop was seen to be since the look before. */
export interface LoopFigures {
  /** The longest that a timer was late, in milliseconds. */
  readonly delayMs: number
  /** The share of the time that it was busy, 0 to 1; absent where there was too little of it to say. */
  readonly utilization?: number | undefined
}

export interface LoopLimits {
  readonly maxDelayMs: number
  readonly maxUtilizationPercent: number
}

/** Usable while the loop was neither held up for the limit or longer nor busy to the limit or more. */
export function judgeEventLoop(
  { delayMs, utilization = 0 }: LoopFigures,
  { maxDelayMs, maxUtilizationPercent }: LoopLimits,
): CheckResult {
  if (delayMs >= maxDelayMs) return { usable: false, code: 'EVENT_LOOP_BLOCKED' }
  if (utilization * 100 >= maxUtilizationPercent) return { usable: false, code: 'EVENT_LOOP_BUSY' }
  return true
}
