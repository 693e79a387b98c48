import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test.each([
  [1, 0, 500],
  [1, 1, 1_000],
  [2, 0, 1_000],
  [2, 1, 2_000],
  [3, 0.5, 3_000],
  [4, 0, 2_500],
  [4, 1, 5_000],
  [9, 1, 5_000],
  [4_000, 0, 2_500],
])('attempt %d at %d of the spread waits %d ms', (attempt, random, ms) => {
  expect(backoffMs(attempt, random)).toBe(ms)
})
