import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, chooseRunner } from './choose-runner.ts'

const one = (slot: number, isIdle = true, isHeld = false): Candidate => ({ slot, isIdle, isHeld })

describe('the next runner', () => {
  it.each([
    ['of none is none', [], 0, undefined],
    ['is the one after the last', [one(0), one(1), one(2)], 0, 1],
    ['is the first after the last slot', [one(0), one(1), one(2)], 2, 0],
    ['skips a slot that is not free', [one(0), one(3)], 1, 3],
    ['is an idle one before a busy one', [one(0), one(1, false), one(2, false)], 0, 0],
    ['is a busy one in turn', [one(0, false), one(1, false)], 0, 1],
    ['is a busy one before a held one', [one(0, true, true), one(1, false)], 1, 1],
    ['is a held one when all are', [one(0, true, true), one(1, true, true)], 0, 1],
    ['is an idle one among the held', [one(0, true, true), one(1, false, true)], 0, 0],
  ] as const)('%s', (_, candidates, last, slot) => {
    expect(chooseRunner<Candidate>(candidates, last)?.slot).toBe(slot)
  })

  it('of equals comes to each within one turn', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), fc.nat(50), (slots, from) => {
        const candidates = [...slots].sort((a, b) => a - b).map((slot) => one(slot))
        const taken = new Set<number>()
        let last = from
        for (let turn = 0; turn < slots.length; turn += 1) {
          last = chooseRunner(candidates, last)?.slot ?? -1
          taken.add(last)
        }
        expect(taken).toEqual(new Set(slots))
      }),
    )
  })

  it('is never held while one is not', () => {
    const candidates = fc.array(fc.record({ slot: fc.nat(20), isIdle: fc.boolean(), isHeld: fc.boolean() }))
    fc.assert(
      fc.property(candidates, fc.nat(20), (some, last) => {
        const chosen = chooseRunner(some, last)
        expect(chosen === undefined).toBe(some.length === 0)
        if (chosen?.isHeld) expect(some.every(({ isHeld }) => isHeld)).toBe(true)
      }),
    )
  })
})
