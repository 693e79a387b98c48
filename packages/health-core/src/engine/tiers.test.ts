import { expect, test } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import { createRefresher } from './refresher.ts'
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
    isInFlight: false,
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

test('where another process has taken the claim the refresher looks again after about a tenth of its interval', async () => {
  const clock = manualClock(0)
  const claims: number[] = []
  const shared: SharedResults = {
    answers: async () => true,
    isOpen: () => true,
    read: async () => undefined,
    claim: async () => {
      claims.push(clock.now())
      return 'taken'
    },
    publish: async () => undefined,
    close: async () => undefined,
  }
  const round: Round = {
    ask: () => expect.unreachable('another process computes'),
    isFresh: () => false,
    sinceMs: () => Number.POSITIVE_INFINITY,
    isInFlight: false,
    read: () => ({ status: 'usable', wasUsable: true }),
    ageMs: () => Number.POSITIVE_INFINITY,
    version: () => 0,
  }
  const bounds = { l1TtlMs: 2_000, l2TtlMs: 15_000, waitMs: 50, lookAgainMs: 10 }
  const tiers = createTiers([], round, shared, bounds, clock)
  const pace = { intervalMs: 10_000, idleMs: 300_000, longestBackoffMs: 300_000 }
  const refresher = createRefresher(pace, tiers.refresh, clock, () => 0.5)
  refresher.onProbe()
  await clock.advance(13_000)
  refresher.stop()
  const [first = 0, ...others] = claims
  expect(first).toBe(9_500)
  const waits = others.map((at, index) => at - (claims[index] ?? 0))
  // with the jitter of a twentieth of the interval
  expect(waits.map((ms) => Math.round(ms / 1_000))).toEqual([1, 1])
})
