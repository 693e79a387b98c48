import type { VerdictState } from '../vocabulary/verdict-transition.ts'

/** Which way a move goes. */
export type Direction = 'stays' | 'falls' | 'rises' | 'recovers'

/** Every move of the machine; all six are allowed. */
const DIRECTIONS: Readonly<Record<VerdictState, Readonly<Record<VerdictState, Direction>>>> = {
  healthy: { healthy: 'stays', degraded: 'falls', unhealthy: 'falls' },
  degraded: { healthy: 'recovers', degraded: 'stays', unhealthy: 'falls' },
  unhealthy: { healthy: 'recovers', degraded: 'rises', unhealthy: 'stays' },
}

/** Where the machine is, and why. */
export interface VerdictStanding {
  readonly state: VerdictState
  /** Empty while healthy. */
  readonly causes: readonly string[]
}

/** Where it starts. */
export const INITIAL_STANDING: VerdictStanding = { state: 'healthy', causes: [] }

/** One step: which way it goes, and what to name as its cause. A return to healthy is caused by what had made it worse. */
export function transition(
  before: VerdictStanding,
  after: VerdictStanding,
): { readonly direction: Direction; readonly cause: string } {
  const direction = DIRECTIONS[before.state][after.state]
  const { causes } = direction === 'recovers' ? before : after
  return { direction, cause: causes.length === 0 ? 'nothing is checked' : causes.join(', ') }
}
