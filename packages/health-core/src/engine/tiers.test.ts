import { expect, test } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import type { Round } from './round.ts'
import type { SharedResults } from './shared-results.ts'
import { createTiers } from './tiers.ts'

test('what was asked before the claim takes its time off the life of what is published', async () => {
  const clock = manualClock()
  const published: unknown[] = []
  const shared: SharedResults = {
    answers: async () => true,
    isOpen: () => true,
    read: async () => undefined,
    claim: async () => ({ token: 'a', forMs: 3_000, at: clock.now() }),
    publish: async (...given) => void published.push(given),
    close: async () => undefined,
  }
  // a round that was under way when the claim was taken: some of what it ends with is older
  const startedAt = clock.now()
  const round: Round = {
    ask: () => new Promise((resolve) => void clock.after(200, resolve)),
    isFresh: () => false,
    sinceMs: () => clock.now() - startedAt + 700,
    isUnderWay: false,
    read: () => ({ status: 'usable', wasUsable: true }),
    ageMs: () => clock.now() - startedAt + 1_000,
    version: () => 0,
  }
  const bounds = { l1TtlMs: 2_000, l2TtlMs: 15_000, waitMs: 50, lookAgainMs: 10 }
  const tiers = createTiers([], round, shared, bounds, clock)
  const refreshed = tiers.refresh(0)
  await clock.advance(200)
  expect(await refreshed).toBe(0)
  expect(published).toEqual([
    [
      expect.objectContaining({ token: 'a' }),
      { ttlMs: 15_000, ageMs: 300, checks: {}, by: expect.any(String) },
      14_300,
    ],
  ])
})
