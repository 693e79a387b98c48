import type { Plan } from './plan.ts'

/** The moments at which the parts of a running drain end, in milliseconds of its clock. */
export interface Deadlines {
  readonly readinessAt: number
  readonly settleAt: number
  readonly delayEndAt: number
  readonly idleAt: number
  readonly abortAt: number
  readonly endAt: number
}

/** The deadlines of a plan that starts now. */
export function deadlinesOf(plan: Plan, now: number): Deadlines {
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

/** Moves the deadlines that lie ahead forward, in proportion, so that all end within `withinMs`. Past deadlines stay; a plan that already fits is returned as it is. */
export function shortenTo(deadlines: Deadlines, now: number, withinMs: number): Deadlines {
  const scale = Math.max(0, withinMs) / (deadlines.endAt - now)
  if (!(scale >= 0 && scale < 1)) return deadlines
  const sooner = (at: number): number => (at <= now ? at : now + Math.floor((at - now) * scale))
  return {
    readinessAt: sooner(deadlines.readinessAt),
    settleAt: sooner(deadlines.settleAt),
    delayEndAt: sooner(deadlines.delayEndAt),
    idleAt: sooner(deadlines.idleAt),
    abortAt: sooner(deadlines.abortAt),
    endAt: sooner(deadlines.endAt),
  }
}
