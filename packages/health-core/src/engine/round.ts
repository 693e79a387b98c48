import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { CheckSlot } from './check-slot.ts'

/** Some checks, asked together under one budget, with one flight at a time and a TTL. */
export interface Round {
  /** Starts or joins a round when what is known is not fresh (or always, with `force`); undefined when there is nothing to wait for. Never rejects. */
  ask(force?: boolean): Promise<void> | undefined
  /** Every check was asked within the TTL. */
  isFresh(): boolean
  /** Since the check that was asked least recently was, in milliseconds; Infinity before each has been. */
  sinceMs(): number
  readonly isUnderWay: boolean
  /** What a check reads in this round: `timed_out` when its run had not ended with the budget, until that run ends. */
  read(slot: CheckSlot, withVouched?: boolean): Reading
  /** The age of the oldest reading, from the end of the run that it comes from, in milliseconds. */
  ageMs(): number
  /** Goes up whenever a reading may have changed. */
  version(): number
}

/**
 * A check is fresh for `ttlMs` from the end of the round that asked it, or from the end of a run that ended later. When
 * one is not, a round asks every check whose result would not last until the round's deadline, so that none rides along
 * and is told when it is too old. Runs are shared: a run that another round began is joined, and its result counts here
 * too.
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

  /** Of a round that has ended: the run that it waited for is still pending. One that somebody began later is not its business. */
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
    get isUnderWay() {
      return flight !== undefined
    },
    read: (slot, withVouched) => slot.read(isOverrun(slot) ? budgetMs : undefined, withVouched),
    ageMs: () => {
      const now = clock.now()
      const seenAt = (slot: CheckSlot): number =>
        isOverrun(slot) ? (coveredAt.get(slot) ?? now) : slot.seenAt
      return now - Math.min(now, ...slots.map(seenAt))
    },
    version: () => slots.reduce((sum, slot) => sum + slot.version, rounds),
  }
}
