import { expect, test } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import { createRefresher, type Refresher } from './refresher.ts'

const PACE = { intervalMs: 10_000, idleMs: 300_000, longestBackoffMs: 300_000 }

interface UnderTest {
  readonly clock: ReturnType<typeof manualClock>
  readonly refresher: Refresher
  /** When each turn came, in milliseconds from the start. */
  readonly turns: number[]
}

function started(refresh: () => Promise<number>, random = 0.5): UnderTest {
  const clock = manualClock(0)
  const turns: number[] = []
  const turn = (): Promise<number> => {
    turns.push(clock.now())
    return refresh()
  }
  const refresher = createRefresher(PACE, turn, clock, () => random)
  refresher.onProbe()
  return { clock, refresher, turns }
}

/** Moves on, with somebody asking all the time. */
async function busy({ clock, refresher }: UnderTest, ms: number): Promise<void> {
  for (let i = 0; i < ms / 10_000; i++) {
    await clock.advance(10_000)
    refresher.onProbe()
  }
}

test.each([
  [0, 9_500],
  [0.5, 9_750],
  [0.998, 9_999],
])('a turn comes up to a twentieth early (random %s: %s ms)', async (random, everyMs) => {
  const under = started(async () => 0, random)
  await busy(under, 40_000)
  expect(under.turns.slice(0, 3).map(Math.round)).toEqual([9_500, 9_500 + everyMs, 9_500 + 2 * everyMs])
})

test('the next turn is counted from what is known already', async () => {
  const under = started(async () => 4_000)
  await busy(under, 30_000)
  expect(under.turns.slice(0, 3)).toEqual([9_500, 15_250, 21_000])
})

test('failures double the wait, up to five minutes, and one success ends that', async () => {
  let isBroken = true
  const under = started(() => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve(0)))
  await busy(under, 1_600_000)
  const waits = under.turns.map((at, index) => at - (under.turns[index - 1] ?? 0))
  expect(waits.slice(0, 8)).toEqual([9_500, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
  isBroken = false
  await busy(under, 330_000)
  expect((under.turns.at(-1) ?? 0) - (under.turns.at(-2) ?? 0)).toBe(9_750)
})

test('it stops once nobody has asked for five minutes, and asking starts it once', async () => {
  const under = started(async () => 0)
  const { clock, refresher, turns } = under
  await clock.advance(3_600_000)
  expect(turns.at(-1)).toBeLessThanOrEqual(300_000)
  expect(clock.pending).toBe(0)
  for (let i = 0; i < 100; i++) refresher.onProbe()
  expect(clock.pending).toBe(1)
})

test('a turn that hangs is the only one, and none comes after it was stopped', async () => {
  const hanging = started(() => new Promise<number>(() => undefined))
  await busy(hanging, 600_000)
  expect(hanging.turns).toHaveLength(1)
  const { clock, refresher, turns } = started(async () => 0)
  refresher.stop()
  refresher.onProbe()
  await clock.advance(60_000)
  expect([turns, clock.pending]).toEqual([[], 0])
})

test('for how long it has not got through: counted while somebody asks, from its beginning or its last success', async () => {
  let isBroken = false
  const under = started(() => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve(4_000)))
  const { refresher, clock } = under
  await clock.advance(5_000)
  expect(refresher.sinceMs()).toBe(5_000)
  await busy(under, 40_000)
  expect(refresher.sinceMs()).toBeLessThan(10_000)
  isBroken = true
  await busy(under, 60_000)
  expect(refresher.sinceMs()).toBeGreaterThan(50_000)
  // whoever nobody asks has nothing to do
  await clock.advance(900_000)
  expect(refresher.sinceMs()).toBe(0)
  isBroken = false
  refresher.onProbe()
  await clock.advance(3_000)
  expect(refresher.sinceMs()).toBe(3_000)
  refresher.stop()
  expect(refresher.sinceMs()).toBe(0)
})

test('a turn that never ends counts as not getting through', async () => {
  const under = started(() => new Promise(() => undefined))
  await busy(under, 60_000)
  expect(under.refresher.sinceMs()).toBe(60_000)
})
