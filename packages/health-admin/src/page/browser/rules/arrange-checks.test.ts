import { expect, test } from 'vitest'
import { checkOf } from '../testing/state.ts'
import { arrangeChecks, sumUp } from './arrange-checks.ts'

const checks = [
  checkOf('a'),
  checkOf('b', { status: 'unknown' }),
  checkOf('c', { status: 'unhealthy', critical: false }),
  checkOf('d', { status: 'timed_out' }),
  checkOf('e'),
  checkOf('f', { status: 'unhealthy' }),
]

test('what takes the instance out comes first, then what degrades it, then what is not known; else they stay as they come', () => {
  const before = [...checks]
  expect(
    arrangeChecks(checks)
      .map(({ name }) => name)
      .join(''),
  ).toBe('dfcbae')
  expect(checks).toEqual(before)
})

test.each([
  [[], 'none configured'],
  [checks, '6 checks, 3 failing, 1 not yet run'],
  [[checkOf('a')], '1 check, all usable'],
  [[checkOf('a', { recent: [{ ms: 1, ok: false }] }), checkOf('b')], '2 checks, 1 failed in its last run'],
  [[checkOf('a', { status: 'unknown' })], '1 check, 1 not yet run'],
])('sums up %#', (some, words) => expect(sumUp(some)).toBe(words))
