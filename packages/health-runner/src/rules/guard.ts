import type { IllReason } from './judge-sign.ts'

/** A process that was ended for what it showed: the `number`th one in its place. */
export interface Ending {
  readonly place: number
  readonly number: number
  /** On the monotonic clock, in milliseconds. */
  readonly at: number
}

/** How many endings may count at a time: a share of the runners that there are to be, and one in any case. */
export const allowedEndings = (wanted: number, share: number): number =>
  Math.max(1, Math.floor(wanted * share))

/** Those that still count. */
export const withinWindow = (endings: readonly Ending[], now: number, windowMs: number): readonly Ending[] =>
  endings.filter(({ at }) => now - at < windowMs)

/** What is left after a process has answered well: the endings before it in its place were worth it. */
export const afterGoodAnswer = (
  endings: readonly Ending[],
  place: number,
  number: number,
): readonly Ending[] => endings.filter((ending) => ending.place !== place || ending.number >= number)

/** What is left when a process turns out to have died by itself before anybody ended it. */
export const afterOwnDeath = (endings: readonly Ending[], place: number, number: number): readonly Ending[] =>
  endings.filter((ending) => ending.place !== place || ending.number !== number)

/** Whether a held runner is ended as soon as the guard has room. For a 503 or a break it is not: what it could not reach may be back. */
export const endsWhenRoom = (reason: IllReason): boolean =>
  reason === 'timed_out' || reason === 'health_check_failed'
