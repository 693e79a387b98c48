import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crashBackoff } from './crash-backoff.ts'

describe('the wait after crashes', () => {
  it.each([
    [0, 0],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [5, 16_000],
    [6, 30_000],
    [7, 30_000],
    [100_000, 30_000],
  ])('after %i in a row is %i ms', (crashes, ms) => expect(crashBackoff(crashes, 1_000, 30_000)).toBe(ms))

  it('never gets shorter with one more, nor longer than the most', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.integer({ min: 1, max: 10_000 }), fc.nat(100_000), (n, first, more) => {
        const most = first + more
        const [ms, next] = [crashBackoff(n, first, most), crashBackoff(n + 1, first, most)]
        expect(next).toBeGreaterThanOrEqual(ms)
        expect(next).toBeLessThanOrEqual(most)
      }),
    )
  })
})
