import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { CheckSlot } from './check-slot.ts'

/** A set of checks that run together under one budget, in one flight at a time, with a TTL. */
export interface Round {
  /** Starts or joins a round when the results are not fresh (or always, with `force`); returns undefined when there is nothing to wait for. Never rejects. */
  ask(force?: boolean): Promise<void> | undefined
  /** Whether the result of every check is within the TTL. */
  isFresh(): boolean
  /** Milliseconds since the least recently covered check was covered by a round; Infinity before each has been. */
  sinceMs(): number
  readonly isInFlight: boolean
  /** Returns a check's reading in this round: `timed_out` when its run had not ended within the budget, until that run ends. */
  read(slot: CheckSlot, includeRemote?: boolean): Reading
  /** Milliseconds since the end of the run behind the oldest reading. */
  ageMs(): number
  /** Increases whenever a reading may have changed. */
  version(): number
}

/**
 * A check is fresh for `ttlMs` from the end of the round that ran it, or from the end of a later run. When one check is
 * not fresh, a round runs every check whose result would expire before the round's deadline, so that no expired result
 * is returned. Runs are shared: a round joins a run that another round started, and its result counts in both.
 */
export function createRound(
  slots: readonly CheckSlot[],
  { budgetMs, ttlMs }: { readonly budgetMs: number; readonly ttlMs: number },
  clock: Clock,
): Round {
  const coveredAt = new Map<CheckSlot, number>()
  const awaited = new Map<CheckSlot, object | undefined>()
  let flight: Promise<void> | undefined
  let rounds = 0

  const checkedAt = (slot: CheckSlot): number =>
    Math.max(coveredAt.get(slot) ?? Number.NEGATIVE_INFINITY, slot.settledAt)

  /** Whether the run that the last round waited for is still pending. A run that another caller started later does not count. */
  const isOverrun = (slot: CheckSlot): boolean =>
    slot.pending !== undefined && awaited.get(slot) === slot.pending

  const end = (asked: readonly CheckSlot[], runs: readonly (object | undefined)[]): void => {
    flight = undefined
    rounds += 1
    asked.forEach((slot, index) => {
      coveredAt.set(slot, clock.now())
      awaited.set(slot, runs[index])
    })
  }

  const sinceMs = (): number => {
    const now = clock.now()
    return Math.max(0, ...slots.map((slot) => now - checkedAt(slot)))
  }
  const isFresh = (): boolean => {
    const now = clock.now()
    return slots.every((slot) => now - checkedAt(slot) < ttlMs)
  }

  return {
    ask: (force = false) => {
      if (flight !== undefined) return flight
      if (!force && isFresh()) return undefined
      const now = clock.now()
      const due = force ? slots : slots.filter((slot) => now + budgetMs - checkedAt(slot) >= ttlMs)
      const waits = due.map((slot) => slot.refresh()).filter((wait) => wait !== undefined)
      const runs = due.map((slot) => slot.pending)
      if (waits.length === 0) {
        end(due, runs)
        return undefined
      }
      flight = withinDeadline(waits, budgetMs, clock).then(() => end(due, runs))
      return flight
    },
    isFresh,
    sinceMs,
    get isInFlight() {
      return flight !== undefined
    },
    read: (slot, includeRemote) => slot.read(isOverrun(slot) ? budgetMs : undefined, includeRemote),
    ageMs: () => {
      const now = clock.now()
      const seenAt = (slot: CheckSlot): number =>
        isOverrun(slot) ? (coveredAt.get(slot) ?? now) : slot.seenAt
      return now - Math.min(now, ...slots.map(seenAt))
    },
    version: () => slots.reduce((sum, slot) => sum + slot.version, rounds),
  }
}
