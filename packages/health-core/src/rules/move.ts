import type { Condition } from '../vocabulary/verdict-move.ts'

/** Which way a move goes. */
export type Direction = 'stays' | 'falls' | 'rises' | 'recovers'

/** Every move of the machine; all six are allowed. */
const MOVES: Readonly<Record<Condition, Readonly<Record<Condition, Direction>>>> = {
  healthy: { healthy: 'stays', degraded: 'falls', unhealthy: 'falls' },
  degraded: { healthy: 'recovers', degraded: 'stays', unhealthy: 'falls' },
  unhealthy: { healthy: 'recovers', degraded: 'rises', unhealthy: 'stays' },
}

/** Where the machine is, and why. */
export interface Standing {
  readonly condition: Condition
  /** Empty while healthy. */
  readonly causes: readonly string[]
}

/** Where it starts. */
export const SOUND: Standing = { condition: 'healthy', causes: [] }

/** One step: which way it goes, and what to name as its cause. A return to healthy is caused by what had made it worse. */
export function move(
  before: Standing,
  after: Standing,
): { readonly direction: Direction; readonly cause: string } {
  const direction = MOVES[before.condition][after.condition]
  const { causes } = direction === 'recovers' ? before : after
  return { direction, cause: causes.length === 0 ? 'nothing is checked' : causes.join(', ') }
}
