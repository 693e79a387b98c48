import type { Clock } from '../machinery/clock.ts'
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

/** What came from another process: good news alone, so that every check reads the same. */
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

  const fails = (slot: CheckSlot): boolean => {
    const { status, latest } = round.read(slot)
    return latest !== undefined && status !== 'usable'
  }
  const ownFails = (): boolean => slots.some(fails)
  const fill = <T extends Tier>(tier: T, from?: typeof copy): T => {
    if (from !== undefined || copy !== undefined) copies += 1
    copy = from
    filledAt = clock.now()
    return tier
  }
  /** A copy lives no longer than its entry. */
  const isFresh = (): boolean =>
    copy === undefined ? round.isFresh() : clock.now() - copy.readAt < copy.entry.remainingMs

  const statuses = (): Record<string, Reading['status']> =>
    Object.fromEntries(slots.map((slot) => [slot.entry.healthName, round.read(slot).status]))

  /** Told to the others as it was when the claim was taken: that is when its life begins. */
  const publish = async (claim: Claim): Promise<void> => {
    const takenMs = clock.now() - claim.at
    const sinceMs = Math.max(0, round.sinceMs() - takenMs)
    const ageMs = Math.max(0, round.ageMs() - takenMs - sinceMs)
    await shared?.publish(claim, { ttlMs: l2TtlMs, ageMs, checks: statuses() }, l2TtlMs - sinceMs)
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
      const entry = ownFails() || leftMs <= 0 ? undefined : await results.read(leftMs)
      // looked at afterwards: a run may have ended meanwhile
      const own = { isFresh: round.isFresh(), sinceMs: round.sinceMs(), fails: ownFails() }
      const source = pickSource(own, entry)
      if (source === 'own') return fill('L2')
      if (source === 'shared') return fill('L2', entry && { entry, readAt })
      // bad news, or a failure of our own: nobody else can compute this for us
      if (own.fails || entry !== undefined || leftMs <= 0) return compute(entry !== undefined)
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
      if (shared === undefined || ownFails() || !shared.isOpen()) {
        if (ownMs < olderThanMs) return ownMs
        await compute(true)
        return 0
      }
      const entry = await shared.read(waitMs)
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
    // a failure of our own counts at once, whatever the copy says
    read: (slot) => (copy === undefined || fails(slot) ? round.read(slot) : USABLE),
    ageMs: () => (copy === undefined ? round.ageMs() : copy.entry.ageMs + clock.now() - copy.readAt),
    version: () => round.version() + copies,
  }
}
