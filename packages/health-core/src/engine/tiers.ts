import type { Clock } from '../machinery/clock.ts'
import { agrees, type OwnView, ownView } from '../rules/own-view.ts'
import { pickSource } from '../rules/pick-source.ts'
import type { ReadEntry } from '../rules/shared-entry.ts'
import type { Reading } from '../vocabulary/reading.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Round } from './round.ts'
import type { Claim, SharedResults } from './shared-results.ts'

/** Where an answer came from. */
export type Tier = 'L1' | 'L2' | 'L3'

/**
 * The check results behind the verdict: in this process (L1 for as long as they were looked at a moment ago), from
 * memory or the shared store (L2), or computed (L3).
 */
export interface Tiers {
  /** What is there is good enough, and nobody has to wait. */
  quick(): 'L1' | 'L2' | undefined
  /** Makes sure that what is there is good enough; `force` computes. Synchronous when there is nothing to wait for. */
  fetch(force: boolean): Tier | Promise<Tier>
  /** For the refresher: computes unless what is known, here or in the store, is young; resolves with its age. */
  refresh(olderThanMs: number): Promise<number>
  /** Every check has been seen, here or elsewhere, and no round is under way, in which some have been asked and others not. */
  readonly isSettled: boolean
  read(slot: CheckSlot): Reading
  ageMs(): number
  version(): number
}

interface TierBounds {
  readonly l1TtlMs: number
  readonly l2TtlMs: number
  /** What sharing may cost one answer, in all. */
  readonly waitMs: number
  /** Between two looks for what another process is computing. */
  readonly lookAgainMs: number
}

/** Of a check that was never asked here only good news is taken from another process. */
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

  const me = crypto.randomUUID()
  /** Somebody else sees what fails here. */
  let isConfirmed = false

  /** For this verdict alone another process's success counts: readiness is local. */
  const own = (slot: CheckSlot): Reading => round.read(slot, shared !== undefined)
  const views = (): Record<string, OwnView> =>
    Object.fromEntries(slots.map((slot) => [slot.entry.healthName, ownView(own(slot))]))
  const sees = (view: OwnView): boolean => slots.some((slot) => ownView(own(slot)) === view)
  /** Whether an entry is what we would see. */
  const compare = (entry: ReadEntry): boolean => {
    const isSame = agrees(views(), entry.failing)
    if (entry.by !== me) isConfirmed = isSame && sees('down')
    return isSame
  }
  const fill = <T extends Tier>(tier: T, from?: typeof copy): T => {
    if (from !== undefined || copy !== undefined) copies += 1
    copy = from
    for (const slot of slots) {
      if (from !== undefined && !from.entry.failing.includes(slot.entry.healthName)) slot.vouch()
    }
    filledAt = clock.now()
    return tier
  }
  /** A copy lives no longer than its entry. */
  const isFresh = (): boolean =>
    copy === undefined ? round.isFresh() : clock.now() - copy.readAt < copy.entry.remainingMs

  /** The last runs alone: whoever reads it counts runs of their own. */
  const statusOf = (reading: Reading): Reading['status'] => {
    const kind = reading.latest?.kind ?? reading.status
    return kind === 'erred' ? 'unusable' : kind
  }
  const statuses = (): Record<string, Reading['status']> =>
    Object.fromEntries(slots.map((slot) => [slot.entry.healthName, statusOf(round.read(slot))]))

  /** Told to the others as it was when the claim was taken: that is when its life begins. */
  const publish = async (claim: Claim): Promise<void> => {
    const takenMs = clock.now() - claim.at
    const sinceMs = Math.max(0, round.sinceMs() - takenMs)
    const ageMs = Math.max(0, round.ageMs() - takenMs - sinceMs)
    await shared?.publish(claim, { ttlMs: l2TtlMs, ageMs, checks: statuses(), by: me }, l2TtlMs - sinceMs)
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
      const entry = sees('moving') || leftMs <= 0 ? undefined : await results.read(leftMs)
      // looked at afterwards: a run may have ended meanwhile
      const seen = {
        isFresh: round.isFresh(),
        sinceMs: round.sinceMs(),
        fails: sees('down'),
        isMoving: sees('moving'),
      }
      const source = pickSource(seen, entry && { sinceMs: entry.sinceMs, agrees: compare(entry) })
      if (source === 'own') return fill('L2')
      if (source === 'shared') return fill('L2', entry && { entry, readAt })
      // news, or runs of our own that still count: nobody else can compute this for us
      if (seen.isMoving || entry !== undefined || leftMs <= 0) return compute(entry !== undefined)
      const claim = await results.claim(endsAt - clock.now())
      if (claim !== 'taken') return compute(claim !== undefined, claim)
      await pause(Math.min(lookAgainMs, Math.max(0, endsAt - clock.now())))
    }
  }

  return {
    quick: () => {
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
      if (shared === undefined || sees('moving') || !shared.isOpen()) return alone()
      const entry = await shared.read(waitMs)
      const isNews = entry !== undefined && !compare(entry)
      // one that fails alone tells nobody: each time all others would have to find out for themselves
      if (sees('down') && (isNews || (entry !== undefined && !isConfirmed))) return alone()
      const knownMs = Math.min(ownMs, entry?.sinceMs ?? ownMs)
      if (knownMs < olderThanMs) return knownMs
      const claim = await shared.claim(waitMs)
      // it is being computed: soon there is something to be read
      if (claim === 'taken') return olderThanMs * 0.9
      await compute(true, claim)
      return 0
    },
    get isSettled() {
      return !round.isUnderWay && (copy !== undefined || round.sinceMs() < Number.POSITIVE_INFINITY)
    },
    // what was seen here counts at once, whatever the copy says
    read: (slot) => (copy === undefined || ownView(own(slot)) !== 'unseen' ? own(slot) : USABLE),
    ageMs: () => (copy === undefined ? round.ageMs() : copy.entry.ageMs + clock.now() - copy.readAt),
    version: () => round.version() + copies,
  }
}
