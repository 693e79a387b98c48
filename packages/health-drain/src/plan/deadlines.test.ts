import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deadlinesOf, shortenTo } from './deadlines.ts'
import { makePlan } from './plan.ts'

const ORDER = ['settleAt', 'delayEndAt', 'abortAt', 'endAt'] as const
const usual = deadlinesOf(makePlan('kubernetes', {}).plan, 100)

describe('the deadlines of a drain', () => {
  it('follow from its plan and its start', () => {
    expect(usual).toEqual({
      readinessAt: 100,
      settleAt: 4_800,
      delayEndAt: 5_100,
      idleAt: 5_600,
      abortAt: 25_100,
      endAt: 28_100,
    })
  })

  it('shrink in proportion when all has to be over sooner', () => {
    expect(shortenTo(usual, 100, 2_800)).toEqual({
      readinessAt: 100,
      settleAt: 570,
      delayEndAt: 600,
      idleAt: 650,
      abortAt: 2_600,
      endAt: 2_900,
    })
  })

  it('leave alone what is past, and what fits', () => {
    expect(shortenTo(usual, 8_100, 2_000)).toMatchObject({ delayEndAt: 5_100, abortAt: 9_800, endAt: 10_100 })
    expect(shortenTo(usual, 100, 28_000)).toBe(usual)
    expect(shortenTo(usual, 30_000, 10)).toBe(usual)
  })

  it('never come later, nor in another order, and end in time', () => {
    const ms = fc.nat(60_000)
    fc.assert(
      fc.property(ms, ms, ms, ms, ms, ms, (delay, settle, request, hook, elapsed, withinMs) => {
        const { plan } = makePlan('kubernetes', {
          ...{ shutdownDelayMs: delay, settleMs: Math.min(settle, delay), readinessDelayMs: delay },
          ...{ requestTimeoutMs: request, hookTimeoutMs: hook, gracePeriodMs: 300_000 },
        })
        const before = deadlinesOf(plan, 0)
        const after = shortenTo(before, elapsed, withinMs)
        for (const [name, at] of Object.entries(after)) {
          expect(at).toBeLessThanOrEqual(before[name as keyof typeof before])
        }
        const inOrder = ORDER.map((name) => after[name])
        expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
        expect(after.endAt).toBeLessThanOrEqual(
          Math.max(before.endAt < elapsed ? before.endAt : 0, elapsed + withinMs),
        )
      }),
    )
  })
})
