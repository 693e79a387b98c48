import fc from 'fast-check'
import { expect, test } from 'vitest'
import { QUEUE, QUEUE_FIXED } from '../settings/defaults.ts'
import { backoff } from './backoff.ts'

const usual = {
  backoffMs: QUEUE.backoffMs.usual,
  maxBackoffMs: QUEUE.maxBackoffMs.usual,
  jitterShare: QUEUE_FIXED.jitterShare,
}

test('doubles from a second to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 9].map((tries) => backoff(tries, usual, 0))).toEqual([
    0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ])
})

test('is shorter by up to a fifth, and never longer', () => {
  expect(backoff(1, usual, 1)).toBe(800)
  expect(backoff(9, usual, 0.5)).toBe(27_000)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, random) => {
        const longest = backoff(tries, usual, 0)
        const delay = backoff(tries, usual, random)
        expect(delay).toBeLessThanOrEqual(longest)
        expect(delay).toBeGreaterThanOrEqual(longest * 0.8)
        expect(longest).toBeLessThanOrEqual(30_000)
      },
    ),
  )
})
