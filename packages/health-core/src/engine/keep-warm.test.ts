import { expect, test } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import { healthUnderTest } from '../testing/health-under-test.ts'
import { scriptedCheck } from '../testing/scripted-check.ts'

const BUDGET_MS = 500
const TTL_MS = 5_000

interface Slow {
  /** When each run began, in milliseconds from the start. */
  readonly begins: readonly number[]
  /** Asks now and lets so much time pass; undefined where it is not answered by then. */
  askAndPass(ms: number): Promise<number | undefined>
}

/** A critical check whose runs take these times, the last of them from then on. */
function slow(durations: readonly number[], policy: Parameters<typeof scriptedCheck>[1] = {}): Slow {
  const clock = manualClock(0)
  const begins: number[] = []
  const check = scriptedCheck('x', { timeoutMs: 4_500, ...policy })
  check.behave(() => {
    begins.push(clock.now())
    const ms = durations[begins.length - 1] ?? durations.at(-1) ?? 0
    return new Promise((resolve) => void clock.after(ms, () => resolve(undefined)))
  })
  const { ask } = healthUnderTest(
    { checks: [check], readiness: { budgetMs: BUDGET_MS, cacheTtlMs: TTL_MS }, verdict: { refresh: false } },
    clock,
  )
  return {
    begins,
    askAndPass: async (ms) => {
      const asked = ask('/ready')
      await clock.advance(ms)
      return asked.settled?.status
    },
  }
}

test.each([
  ['one and a half times the last run before its result expires', 1_000, 3_500],
  ['at the same distance where the last run just exceeded the budget', 501, 4_248.5],
  ['after half the TTL at the earliest', 3_000, 2_500],
])('the next run of a slow check begins %s', async (_, runMs, waitMs) => {
  const { begins, askAndPass } = slow([runMs])
  await askAndPass(runMs + waitMs - 1)
  expect(begins).toEqual([0])
  await askAndPass(1)
  expect(begins).toEqual([0, runMs + waitMs])
})

test('readiness stays ready while a check needs nearly half as long again as the time before', async () => {
  const { begins, askAndPass } = slow([1_000, 1_490, 2_200, 1_000, 1_490, 2_200])
  // the first answer has nothing to go by
  expect(await askAndPass(1_000)).toBe(503)
  const statuses = new Set<number | undefined>()
  for (let i = 0; i < 300; i++) statuses.add(await askAndPass(100))
  expect([...statuses]).toEqual([200])
  expect(begins.length).toBeGreaterThanOrEqual(6)
})

test.each([
  ['within the budget', 500, {}],
  ['whose minIntervalMs is above the wait', 1_000, { minIntervalMs: 4_000 }],
])('a check %s is not run ahead of a probe', async (_, runMs, policy) => {
  const { begins, askAndPass } = slow([runMs], policy)
  await askAndPass(60_000)
  expect(begins).toEqual([0])
})

test('a check that fails slowly is not run ahead of a probe', async () => {
  const clock = manualClock(0)
  const check = scriptedCheck('x', { timeoutMs: 4_500 })
  check.behave('hang')
  const { ask } = healthUnderTest(
    { checks: [check], readiness: { budgetMs: BUDGET_MS, cacheTtlMs: TTL_MS }, verdict: { refresh: false } },
    clock,
  )
  ask('/ready')
  await clock.advance(1_000)
  check.fail()
  await clock.advance(60_000)
  expect(check.runs).toBe(1)
})

test('a slow check is not run ahead any more once nobody has asked for a minute', async () => {
  const { begins, askAndPass } = slow([1_000])
  await askAndPass(120_000)
  expect(begins.at(-1)).toBeLessThanOrEqual(60_000)
  expect(begins.length).toBeGreaterThan(10)
})
