import { expect, test } from 'vitest'
import { explainPlan } from './explain.ts'
import { makePlan } from './plan.ts'
import { readDrainSettings } from './read-settings.ts'

const { plan } = makePlan('kubernetes', {})

test.each([
  [
    'of a server with a delay says that requests are served meanwhile',
    { hasServer: true, hasHealth: false },
    5_000,
    1,
  ],
  ['of a server without a delay does not', { hasServer: true, hasHealth: false }, 0, 0],
  ['of a health alone with a delay says it too', { hasServer: false, hasHealth: true }, 5_000, 1],
  ['of a worker never does', { hasServer: false, hasHealth: false }, 5_000, 0],
])('the timeline %s', (_what, has, shutdownDelayMs, count) => {
  const words = explainPlan({ ...plan, shutdownDelayMs }, 'serve', has)
  expect(words.match(/requests are still served/g)?.length ?? 0).toBe(count)
})

test('retryAfterSeconds may be 0, and not a part of a second', () => {
  expect(readDrainSettings({ env: {}, retryAfterSeconds: 0 }).retryAfterSeconds).toBe(0)
  expect(() => readDrainSettings({ env: {}, retryAfterSeconds: 0.5 })).toThrow(/retryAfterSeconds/)
})
