import type { UnhealthyReason } from './classify-outcome.ts'

/** A process that was ended for what it showed: the `number`th one in its slot. */
export interface Ending {
  readonly slot: number
  readonly number: number
  readonly reason: UnhealthyReason
  /** On the monotonic clock, in milliseconds. */
  readonly at: number
  /** A later process of the slot has answered well: it was right, and does not count. */
  readonly isProven: boolean
}

/** How many endings may count at a time: a share of the runners that there are to be, and one in any case. */
export const allowedEndings = (wanted: number, share: number): number =>
  Math.max(1, Math.floor(wanted * share))

/** Those that are not forgotten. */
export const withinWindow = (endings: readonly Ending[], now: number, windowMs: number): readonly Ending[] =>
  endings.filter(({ at }) => now - at < windowMs)

/** How many count. */
export const counted = (endings: readonly Ending[]): number =>
  endings.filter(({ isProven }) => !isProven).length

/**
 * After a process has answered well: the endings before it in its slot were worth it. Of so many for one reason in one slot the
 * good answers prove nothing: where one route needs what is gone and another does not, every process answers well, and every one is ill.
 */
export const afterGoodAnswer = (
  endings: readonly Ending[],
  slot: number,
  number: number,
  mostProven: number,
): readonly Ending[] =>
  endings.map((ending) => {
    if (ending.isProven || ending.slot !== slot || ending.number >= number) return ending
    const alike = endings.filter((other) => other.slot === slot && other.reason === ending.reason)
    return alike.length > mostProven ? ending : { ...ending, isProven: true }
  })

/** What is left when a process turns out to have died by itself before anybody ended it. */
export const afterOwnDeath = (endings: readonly Ending[], slot: number, number: number): readonly Ending[] =>
  endings.filter((ending) => ending.slot !== slot || ending.number !== number)

/**
 * Whether it was held because it did not answer: a good health check sets it free, and else it is ended as soon as the guard has room.
 * For a 503 or a break neither: what it could not reach may be back, and its next answer tells.
 */
export const isOfSilence = (reason: UnhealthyReason): boolean =>
  reason === 'timed_out' || reason === 'health_check_failed'
