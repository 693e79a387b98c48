import type { Clock } from '../machinery/clock.ts'
import { type LocalStatus, localStatus, matchesLocal } from '../rules/local-status.ts'
import { pickSource } from '../rules/pick-source.ts'
import type { ReadEntry } from '../rules/shared-entry.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Round } from './round.ts'
import type { Claim, SharedResults } from './shared-results.ts'

/** The tier that an answer came from. */
export type Tier = 'L1' | 'L2' | 'L3'

/**
 * The check results behind the verdict: served again without a look (L1, for `l1TtlMs`), from memory or the shared
 * store (L2), or computed (L3).
 */
export interface Tiers {
  /** The tier that can answer without waiting; undefined when there is none. */
  cachedTier(): 'L1' | 'L2' | undefined
  /** Makes sure that the results are fresh; `force` recomputes. Returns a promise only when there is something to wait for. */
  fetch(force: boolean): Tier | Promise<Tier>
  /** For the refresher: computes unless the results here or in the store are younger than that; resolves with their age in milliseconds. */
  refresh(olderThanMs: number): Promise<number>
  /** True when every check has a result, from here or elsewhere, and no round is in flight. */
  readonly isSettled: boolean
  read(slot: CheckSlot): Reading
  ageMs(): number
  version(): number
}

interface TierBounds {
  readonly l1TtlMs: number
  readonly l2TtlMs: number
  /** The longest that sharing may delay one answer in total, in milliseconds. */
  readonly waitMs: number
  /** The pause between two reads while another process computes, in milliseconds. */
  readonly lookAgainMs: number
}

/** The reading of a check that never ran here: another process's success is accepted, its failure is not. */
const USABLE: Reading = { status: 'usable', wasUsable: true }

export function createTiers(
  slots: readonly CheckSlot[],
  round: Round,
  shared: SharedResults | undefined,
  { l1TtlMs, l2TtlMs, waitMs, lookAgainMs }: TierBounds,
  clock: Clock,
): Tiers {
  let filledAt = Number.NEGATIVE_INFINITY
  let copy: { readonly entry: ReadEntry; readonly readAt: number } | undefined
  let copies = 0

  const processId = crypto.randomUUID()
  /** Another process sees the same failure. */
  let isConfirmed = false

  /** Remote successes count for the verdict only: readiness stays local. */
  const localReading = (slot: CheckSlot): Reading => round.read(slot, shared !== undefined)
  const localStatuses = (): Record<string, LocalStatus> =>
    Object.fromEntries(slots.map((slot) => [slot.entry.healthName, localStatus(localReading(slot))]))
  const hasStatus = (view: LocalStatus): boolean =>
    slots.some((slot) => localStatus(localReading(slot)) === view)
  /** Whether an entry matches the local status of every check. */
  const compare = (entry: ReadEntry): boolean => {
    const isSame = matchesLocal(localStatuses(), entry.failing)
    if (entry.by !== processId) isConfirmed = isSame && hasStatus('down')
    return isSame
  }
  const fill = <T extends Tier>(tier: T, from?: typeof copy): T => {
    if (from !== undefined || copy !== undefined) copies += 1
    copy = from
    for (const slot of slots) {
      if (from !== undefined && !from.entry.failing.includes(slot.entry.healthName))
        slot.acceptRemoteSuccess()
    }
    filledAt = clock.now()
    return tier
  }
  /** A copy expires with its entry. */
  const isFresh = (): boolean =>
    copy === undefined ? round.isFresh() : clock.now() - copy.readAt < copy.entry.remainingMs

  /** The last run alone, without hysteresis: each reader counts its own runs. */
  const statusOf = (reading: Reading): Reading['status'] => {
    const kind = reading.latest?.kind ?? reading.status
    return kind === 'erred' ? 'unusable' : kind
  }
  const statuses = (): Record<string, Reading['status']> =>
    Object.fromEntries(slots.map((slot) => [slot.entry.healthName, statusOf(round.read(slot))]))

  /** Publishes the results as of the moment the claim was taken, since their life begins then. */
  const publish = async (claim: Claim): Promise<void> => {
    const takenMs = clock.now() - claim.at
    const sinceMs = Math.max(0, round.sinceMs() - takenMs)
    const ageMs = Math.max(0, round.ageMs() - takenMs - sinceMs)
    await shared?.publish(
      claim,
      { ttlMs: l2TtlMs, ageMs, checks: statuses(), by: processId },
      l2TtlMs - sinceMs,
    )
  }

  const compute = (force: boolean, claim?: Claim): 'L3' | Promise<'L3'> => {
    const end = (): 'L3' => {
      if (claim !== undefined) void publish(claim)
      return fill('L3')
    }
    const wait = round.ask(force)
    return wait === undefined ? end() : wait.then(end)
  }

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))

  const look = async (results: SharedResults): Promise<Tier> => {
    const endsAt = clock.now() + waitMs
    for (;;) {
      const readAt = clock.now()
      const leftMs = endsAt - readAt
      const entry = hasStatus('settling') || leftMs <= 0 ? undefined : await results.read(leftMs)
      // read after the wait: a run may have ended meanwhile
      const seen = {
        isFresh: round.isFresh(),
        sinceMs: round.sinceMs(),
        hasFailure: hasStatus('down'),
        isSettling: hasStatus('settling'),
      }
      const source = pickSource(seen, entry && { sinceMs: entry.sinceMs, matchesLocal: compare(entry) })
      if (source === 'own') return fill('L2')
      if (source === 'shared') return fill('L2', entry && { entry, readAt })
      // a changed result, or a local streak that is not settled: only this process can compute it
      if (seen.isSettling || entry !== undefined || leftMs <= 0) return compute(entry !== undefined)
      const claim = await results.claim(endsAt - clock.now())
      if (claim !== 'taken') return compute(claim !== undefined, claim)
      await pause(Math.min(lookAgainMs, Math.max(0, endsAt - clock.now())))
    }
  }

  return {
    cachedTier: () => {
      if (!isFresh()) return undefined
      if (clock.now() - filledAt < l1TtlMs) return 'L1'
      return shared?.isOpen() ? undefined : fill('L2', copy)
    },
    fetch: (force) => {
      if (force || shared === undefined || !shared.isOpen()) return compute(force)
      return look(shared)
    },
    refresh: async (olderThanMs) => {
      const ownMs = round.sinceMs()
      const alone = async (): Promise<number> => {
        if (ownMs < olderThanMs) return ownMs
        await compute(true)
        return 0
      }
      if (shared === undefined || hasStatus('settling') || !shared.isOpen()) return alone()
      const entry = await shared.read(waitMs)
      const isChanged = entry !== undefined && !compare(entry)
      // a failure that only this process sees is not published: every other process would have to recheck it
      if (hasStatus('down') && (isChanged || (entry !== undefined && !isConfirmed))) return alone()
      const knownMs = Math.min(ownMs, entry?.sinceMs ?? ownMs)
      if (knownMs < olderThanMs) return knownMs
      const claim = await shared.claim(waitMs)
      // another process is computing: try again when its result should be there
      if (claim === 'taken') return olderThanMs * 0.9
      await compute(true, claim)
      return 0
    },
    get isSettled() {
      return !round.isInFlight && (copy !== undefined || round.sinceMs() < Number.POSITIVE_INFINITY)
    },
    // a local result counts at once, whatever the copy holds
    read: (slot) =>
      copy === undefined || localStatus(localReading(slot)) !== 'unknown' ? localReading(slot) : USABLE,
    ageMs: () => (copy === undefined ? round.ageMs() : copy.entry.ageMs + clock.now() - copy.readAt),
    version: () => round.version() + copies,
  }
}
