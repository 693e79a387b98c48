import { announce } from './engine/announce.ts'
import type { CheckSlot } from './engine/check-slot.ts'
import { createPicture } from './engine/picture.ts'
import { createRefresher } from './engine/refresher.ts'
import type { Responses } from './engine/responses.ts'
import { createRound } from './engine/round.ts'
import type { SelfReport } from './engine/self-report.ts'
import { createSharedResults, type SharedResults } from './engine/shared-results.ts'
import { createTiers } from './engine/tiers.ts'
import { createVerdict, type VerdictSource } from './engine/verdict.ts'
import { createVerdictMachine, type VerdictMachine } from './engine/verdict-machine.ts'
import {
  BROKEN_VERDICT,
  BYPASS_INTERVAL_MS,
  HISTORY_LENGTH,
  REFRESH,
  REMIND_MS,
  STORE,
} from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import { entryKey, fitsEntry } from './rules/shared-entry.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { VerdictTransition } from './vocabulary/verdict-transition.ts'

interface BuiltVerdict extends VerdictSource {
  readonly machine: VerdictMachine
  /** Whether the shared store answers; true when there is none. */
  isStoreReachable(): Promise<boolean>
  /** Milliseconds since the refresher last succeeded; 0 while no prober asks. */
  refreshSinceMs(): number
  /** A verdict over some of the checks, from this process alone; its transitions are not reported. */
  forPeers(own: readonly CheckSlot[]): VerdictSource
  /** Stops the background refresher. */
  stopRefreshing(): void
  close(): Promise<void>
}

const nothing = (): void => undefined

function buildShared(
  { share, verdict, clock }: Settings,
  slots: readonly CheckSlot[],
  logger: Logger,
): SharedResults | undefined {
  if (share === undefined || slots.length === 0) return undefined
  const names = slots.map(({ entry }) => entry.healthName)
  if (!fitsEntry(names)) {
    logger.warn(`shared results: ${names.length} checks do not fit into one entry, so nothing is shared`)
    return undefined
  }
  const bounds = {
    ...STORE,
    claimMs: Math.ceil(verdict.budgetMs + STORE.claimSlackMs),
    ttlMs: verdict.l2TtlMs,
  }
  // a result of a check with a `minIntervalMs` stays valid for that long
  const oldestMs = verdict.l2TtlMs + Math.max(...slots.map(({ entry }) => entry.minIntervalMs))
  const key = entryKey(share.namespace, names)
  return createSharedResults(share.store, { key, names, oldestMs }, bounds, { clock, logger })
}

/** Builds the verdict from its parts. */
export function buildVerdict(
  settings: Settings,
  slots: readonly CheckSlot[],
  { responses, self }: { readonly responses: Responses; readonly self: SelfReport },
  logger: Logger,
  onMove: (move: VerdictTransition) => void,
): BuiltVerdict {
  const { clock } = settings
  const { budgetMs, l1TtlMs, l2TtlMs, refresh, refreshIntervalMs } = settings.verdict
  const shared = buildShared(settings, slots, logger)
  const round = createRound(slots, { budgetMs, ttlMs: l2TtlMs }, clock)
  const tiers = createTiers(slots, round, shared, { ...STORE, l1TtlMs, l2TtlMs }, clock)
  const machine = createVerdictMachine(
    { historyLength: HISTORY_LENGTH, remindMs: REMIND_MS },
    { clock, logger },
    (move) => {
      onMove(move)
      announce(settings.share?.namespace, move)
    },
  )
  const bounds = { bypassIntervalMs: BYPASS_INTERVAL_MS, broken: BROKEN_VERDICT }
  const outside = { fields: self.fields, clock, logger }
  const verdict = createVerdict(
    {
      ...outside,
      picture: createPicture({ slots, tiers, responses, self, machine }),
      tiers,
      onProbe: () => {
        if (refresh) refresher.onProbe()
      },
    },
    bounds,
  )
  const refresher = createRefresher(
    { ...REFRESH, intervalMs: refreshIntervalMs },
    verdict.refresh,
    clock,
    Math.random,
  )
  return {
    ...verdict,
    machine,
    isStoreReachable: async () => shared === undefined || (await shared.answers(STORE.waitMs)),
    refreshSinceMs: refresher.sinceMs,
    forPeers: (own) => {
      const ownRound = createRound(own, { budgetMs, ttlMs: l2TtlMs }, clock)
      const ownTiers = createTiers(own, ownRound, undefined, { ...STORE, l1TtlMs, l2TtlMs }, clock)
      const machine = { see: nothing }
      const picture = createPicture({
        slots: own,
        configured: slots,
        tiers: ownTiers,
        responses,
        self,
        machine,
      })
      return createVerdict({ ...outside, picture, tiers: ownTiers, onProbe: nothing }, bounds)
    },
    stopRefreshing: refresher.stop,
    close: async () => {
      refresher.stop()
      machine.stop()
      await shared?.close()
    },
  }
}
