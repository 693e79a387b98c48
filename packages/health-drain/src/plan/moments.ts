import type { Plan } from './plan.ts'

/** When the parts of a drain that has begun are over, in milliseconds of its clock. */
export interface Moments {
  readonly readinessAt: number
  readonly settleAt: number
  readonly delayEndAt: number
  readonly idleAt: number
  readonly abortAt: number
  readonly endAt: number
}

export function momentsOf(plan: Plan, now: number): Moments {
  const delayEndAt = now + plan.shutdownDelayMs
  const abortAt = delayEndAt + plan.requestTimeoutMs
  return {
    readinessAt: now + plan.readinessDelayMs,
    settleAt: delayEndAt - plan.settleMs,
    delayEndAt,
    idleAt: delayEndAt + plan.lingerMs,
    abortAt,
    endAt: abortAt + plan.hookTimeoutMs,
  }
}

/** What lies ahead, brought forward in proportion until all of it is over within `withinMs`. What is past, or fits, stays. */
export function hasten(moments: Moments, now: number, withinMs: number): Moments {
  const scale = Math.max(0, withinMs) / (moments.endAt - now)
  if (!(scale >= 0 && scale < 1)) return moments
  const sooner = (at: number): number => (at <= now ? at : now + Math.floor((at - now) * scale))
  return {
    readinessAt: sooner(moments.readinessAt),
    settleAt: sooner(moments.settleAt),
    delayEndAt: sooner(moments.delayEndAt),
    idleAt: sooner(moments.idleAt),
    abortAt: sooner(moments.abortAt),
    endAt: sooner(moments.endAt),
  }
}
