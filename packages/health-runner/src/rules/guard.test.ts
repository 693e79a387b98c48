import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterGoodAnswer,
  afterOwnDeath,
  allowedEndings,
  counted,
  type Ending,
  isOfSilence,
  withinWindow,
} from './guard.ts'

describe('the guard', () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 1],
    [6, 1],
    [7, 2],
    [9, 2],
    [10, 3],
    [20, 6],
    [100, 30],
    [1_000, 300],
  ])('of %i runners lets %i be ended', (wanted, allowed) => expect(allowedEndings(wanted, 0.3)).toBe(allowed))

  it('never rounds a share of thirty percent up or down', () => {
    fc.assert(
      fc.property(fc.nat(1_000), (wanted) => {
        expect(allowedEndings(wanted, 0.3)).toBe(Math.max(1, Math.floor((wanted * 3) / 10)))
      }),
    )
  })

  const ending = (slot: number, number: number, at: number): Ending => ({
    ...{ slot, number, at },
    reason: 'answered_503',
    isProven: false,
  })
  const endings = [ending(0, 2, 1_000), ending(1, 1, 2_000), ending(0, 3, 3_000)]
  it.each([
    [3_000, [2, 1, 3]],
    [300_999, [2, 1, 3]],
    [301_000, [1, 3]],
    [302_000, [3]],
    [303_000, []],
  ])('at %i counts those of the last five minutes', (now, numbers) => {
    expect(withinWindow(endings, now, 300_000).map(({ number }) => number)).toEqual(numbers)
  })

  it.each([
    ['the first process of the slot', 0, 1, [2, 1, 3]],
    ['the one that was ended itself', 0, 2, [2, 1, 3]],
    ['the one between the two endings', 0, 3, [1, 3]],
    ['the one after both', 0, 4, [1]],
    ['one of another slot', 1, 2, [2, 3]],
    ['one of a slot without endings', 2, 9, [2, 1, 3]],
  ])(
    'counts no longer what came before in the slot when it was %s that answered well',
    (_, slot, number, left) => {
      const after = afterGoodAnswer(endings, slot, number, 5)
      expect(after.filter(({ isProven }) => !isProven).map((one) => one.number)).toEqual(left)
      expect([after.length, counted(after)]).toEqual([3, left.length])
    },
  )

  it('goes on counting what has happened too often for one reason in one slot, whatever is answered', () => {
    let all: readonly Ending[] = []
    const left: number[] = []
    for (let number = 1; number <= 7; number += 1) {
      all = afterGoodAnswer([...all, ending(0, number, number)], 0, number + 1, 5)
      left.push(counted(all))
    }
    expect(left).toEqual([0, 0, 0, 0, 0, 1, 2])
    // for another reason, and elsewhere, a good answer is one
    const other: Ending = { ...ending(0, 8, 8), reason: 'timed_out' }
    expect(counted(afterGoodAnswer([...all, other, ending(1, 1, 8)], 0, 9, 5))).toBe(3)
  })

  it('forgets the one that had died by itself, and no other', () => {
    expect(afterOwnDeath(endings, 0, 3)).toEqual(endings.slice(0, 2))
    expect(afterOwnDeath(endings, 1, 3)).toEqual(endings)
  })

  it.each([
    ['answered_503', false],
    ['connection_broken', false],
    ['timed_out', true],
    ['health_check_failed', true],
  ] as const)('when there is room again, ends one that is held for %s: %s', (reason, ends) => {
    expect(isOfSilence(reason)).toBe(ends)
  })
})
