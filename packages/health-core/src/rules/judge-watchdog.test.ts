import { expect, it } from 'vitest'
import { WATCHDOG_STATUSES, type WatchdogStatus } from '../vocabulary/watchdog.ts'
import { statusOf, worstOf } from './judge-watchdog.ts'

const ROWS: readonly (readonly [WatchdogStatus, WatchdogStatus, ReturnType<typeof worstOf>])[] = [
  ['healthy', 'healthy', 'healthy'],
  ['healthy', 'degraded', 'degraded'],
  ['healthy', 'unknown', 'degraded'],
  ['healthy', 'unhealthy', 'unhealthy'],
  ['degraded', 'degraded', 'degraded'],
  ['degraded', 'unknown', 'degraded'],
  ['degraded', 'unhealthy', 'unhealthy'],
  ['unknown', 'unknown', 'degraded'],
  ['unknown', 'unhealthy', 'unhealthy'],
  ['unhealthy', 'unhealthy', 'unhealthy'],
]

it('has a row for every pair', () => {
  const n = WATCHDOG_STATUSES.length
  expect(new Set(ROWS.map(([a, b]) => [a, b].sort().join())).size).toBe((n * (n + 1)) / 2)
})
it.each(ROWS)('of %s and %s the worst is %s, in either order', (one, other, worst) => {
  expect(worstOf([one, other])).toBe(worst)
  expect(worstOf([other, one, 'healthy'])).toBe(worst)
})
it('nothing that is looked at is well', () => expect(worstOf([])).toBe('healthy'))

it.each(WATCHDOG_STATUSES.map((word) => [word]))('%s is a status', (word) =>
  expect(statusOf(word)).toBe(word),
)
it.each([
  [undefined],
  [null],
  [true],
  [false],
  [0],
  ['HEALTHY'],
  ['ok'],
  [{ status: 'healthy' }],
  ['toString'],
])('%j is none, and so unknown', (answered) => expect(statusOf(answered)).toBe('unknown'))
