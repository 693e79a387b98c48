import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import type { UnhealthyReason } from '../rules/classify-outcome.ts'
import type { GuardEvent } from '../vocabulary/fleet.ts'
import { createGuard, type Guard, type Guarded } from './guard.ts'

const WINDOW_MS = 300_000
const REASONS: readonly UnhealthyReason[] = [
  'answered_503',
  'timed_out',
  'connection_broken',
  'health_check_failed',
]

function guardUnderTest(runners: number) {
  const clock = manualClock()
  const [events, lines, ended]: [GuardEvent[], string[], string[]] = [[], [], []]
  const log = (line: string): void => void lines.push(line)
  const wanted = { count: runners }
  const guard = createGuard({
    clock,
    logger: { debug: log, info: log, warn: log, error: log },
    wanted: () => wanted.count,
    onGuard: (event) => events.push(event),
  })
  const some = (slot: number, number = 1): Guarded => ({ slot, number, name: `${slot + 1}.${number}` })
  const judge = (guarded: Guarded, reason: UnhealthyReason): void =>
    guard.judge(guarded, reason, () => {
      guard.leaves(guarded)
      ended.push(guarded.name)
    })
  return { clock, events, lines, ended, wanted, guard, some, judge }
}

describe('the guard', () => {
  it('ends one of three, and holds the others, each with one event and one line', () => {
    const { guard, some, judge, ended, events, lines } = guardUnderTest(3)
    const all = [some(0), some(1), some(2)]
    for (const one of all) judge(one, 'answered_503')
    for (const one of all.slice(1)) judge(one, 'answered_503')
    expect(ended).toEqual(['1.1'])
    expect(all.map((one) => guard.heldFor(one))).toEqual([undefined, 'answered_503', 'answered_503'])
    expect(events).toEqual([
      { name: '2.1', reason: 'answered_503', ended: 1, allowed: 1 },
      { name: '3.1', reason: 'answered_503', ended: 1, allowed: 1 },
    ])
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('runner 2.1: answered_503, but it is held')
    expect(guard.snapshot()).toEqual({ ended: 1, allowed: 1 })
  })

  it('lets another one be ended once the replacement has answered well', () => {
    const { guard, some, judge, ended } = guardUnderTest(3)
    judge(some(0), 'answered_503')
    const second = some(1)
    judge(second, 'answered_503')
    guard.answeredWell(some(0, 2))
    expect(guard.snapshot().ended).toBe(0)
    // it may be well by now: its next outcome tells
    expect(ended).toEqual(['1.1'])
    expect(guard.heldFor(second)).toBeUndefined()
    judge(second, 'answered_503')
    expect(ended).toEqual(['1.1', '2.1'])
    expect(guard.heldFor(second)).toBeUndefined()
  })

  it('sets all free that are held for a 503 or a break when one of the held has answered well', () => {
    const { guard, some, judge, ended } = guardUnderTest(4)
    const [, second, third, fourth] = [0, 1, 2, 3].map((slot) => some(slot)) as Guarded[]
    judge(some(0), 'answered_503')
    for (const [one, reason] of [
      [second, 'answered_503'],
      [third, 'connection_broken'],
      [fourth, 'timed_out'],
    ] as const)
      judge(one as Guarded, reason)
    guard.answeredWell(second as Guarded)
    expect([second, third, fourth].map((one) => guard.heldFor(one as Guarded))).toEqual([
      undefined,
      undefined,
      'timed_out',
    ])
    expect([ended, guard.snapshot().ended]).toEqual([['1.1'], 1])
  })

  it('ends one that is held for a timeout as soon as the replacement has answered well', () => {
    const { guard, some, judge, ended } = guardUnderTest(3)
    for (const slot of [0, 1]) judge(some(slot), 'timed_out')
    guard.answeredWell(some(0, 2))
    expect(ended).toEqual(['1.1', '2.1'])
  })

  it('holds after five endings for one reason in one slot, though each replacement has answered well', async () => {
    const { clock, guard, some, judge, ended } = guardUnderTest(3)
    for (let number = 1; number <= 8; number += 1) {
      judge(some(0, number), 'answered_503')
      guard.answeredWell(some(0, number + 1))
    }
    expect(ended).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'])
    expect(guard.snapshot()).toEqual({ ended: 1, allowed: 1 })
    await clock.advance(WINDOW_MS)
    judge(some(0, 9), 'answered_503')
    expect(ended.at(-1)).toBe('1.9')
  })

  it('is not freed by a late answer of the process that was ended', () => {
    const { guard, some, judge } = guardUnderTest(3)
    const first = some(0)
    judge(first, 'answered_503')
    guard.answeredWell(first)
    expect(guard.snapshot().ended).toBe(1)
  })

  it.each([
    ['timed_out', ['1.1', '2.1']],
    ['health_check_failed', ['1.1', '2.1']],
    ['answered_503', ['1.1']],
    ['connection_broken', ['1.1']],
  ] as const)(
    'after five minutes, of a first one and one held for %s, has ended %j',
    async (reason, names) => {
      const { clock, some, judge, ended, guard } = guardUnderTest(3)
      judge(some(0), 'answered_503')
      judge(some(1), reason)
      await clock.advance(WINDOW_MS - 1)
      expect(ended).toEqual(['1.1'])
      await clock.advance(1)
      expect(ended).toEqual(names)
      guard.close()
      expect(clock.pending).toBe(0)
    },
  )

  it('ends the one that was held first, and only as many as it has room for', async () => {
    const { clock, some, judge, ended } = guardUnderTest(3)
    judge(some(0), 'answered_503')
    for (const slot of [2, 1]) judge(some(slot), 'timed_out')
    await clock.advance(WINDOW_MS)
    expect(ended).toEqual(['1.1', '3.1'])
    await clock.advance(WINDOW_MS)
    expect(ended).toEqual(['1.1', '3.1', '2.1'])
  })

  it('does not end one that has answered well since it was held', async () => {
    const { clock, guard, some, judge, ended } = guardUnderTest(3)
    judge(some(0), 'answered_503')
    const second = some(1)
    judge(second, 'timed_out')
    guard.answeredWell(second)
    expect(guard.heldFor(second)).toBeUndefined()
    await clock.advance(2 * WINDOW_MS)
    expect(ended).toEqual(['1.1'])
  })

  it('does not count a process that had died by itself, and ends the next one', () => {
    const { guard, some, judge, ended } = guardUnderTest(3)
    const first = some(0)
    judge(first, 'connection_broken')
    judge(some(1), 'timed_out')
    guard.diedByItself(first)
    expect(ended).toEqual(['1.1', '2.1'])
    expect(guard.snapshot().ended).toBe(1)
  })

  it('has more room with more runners', () => {
    const { guard, some, judge, ended, wanted } = guardUnderTest(3)
    judge(some(0), 'answered_503')
    judge(some(1), 'timed_out')
    wanted.count = 10
    guard.look()
    expect(ended).toEqual(['1.1', '2.1'])
    expect(guard.snapshot()).toEqual({ ended: 2, allowed: 3 })
  })

  it('says it again when the reason is another', () => {
    const { some, judge, events } = guardUnderTest(1)
    judge(some(0), 'answered_503')
    const next = some(0, 2)
    for (const reason of ['answered_503', 'timed_out', 'timed_out'] as const) judge(next, reason)
    expect(events.map(({ reason }) => reason)).toEqual(['answered_503', 'timed_out'])
  })

  it('never lets more end than allowed within five minutes, whatever happens', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('ill' as const), fc.nat(11), fc.nat(3)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('well' as const), fc.nat(11)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('died' as const), fc.nat(11)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('later' as const), fc.nat(WINDOW_MS)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('scale' as const), fc.integer({ min: 1, max: 12 })) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, guard, wanted, some } = guardUnderTest(12)
        const slots = Array.from({ length: 12 }, (_, slot) => some(slot))
        // what the guard is to know, kept in another way: every ending with whether it is forgiven
        const granted: { slot: number; number: number; at: number; isForgiven: boolean }[] = []
        const counted = () =>
          granted.filter(({ at, isForgiven }) => !isForgiven && clock.now() - at < WINDOW_MS)
        let most = 0
        const end = (guarded: Guarded, by: Guard) => () => {
          most = Math.max(1, Math.floor((wanted.count * 3) / 10))
          expect(counted().length).toBeLessThan(most)
          const { slot, number } = guarded
          granted.push({ slot, number, at: clock.now(), isForgiven: false })
          by.leaves(guarded)
          slots[slot] = some(slot, number + 1)
        }
        for (const [what, value, reason] of steps) {
          const guarded = slots[value] ?? some(value)
          if (what === 'later') await clock.advance(value)
          else if (what === 'scale') {
            wanted.count = value
            guard.look()
          } else if (what === 'well') {
            for (const ending of granted)
              if (ending.slot === guarded.slot && ending.number < guarded.number) ending.isForgiven = true
            guard.answeredWell(guarded)
          } else if (what === 'died') {
            const last = granted.findLast(({ slot }) => slot === value)
            if (last === undefined) continue
            last.isForgiven = true
            guard.diedByItself(last as unknown as Guarded)
          } else guard.judge(guarded, REASONS[reason ?? 0] ?? 'timed_out', end(guarded, guard))
          expect(guard.snapshot().ended).toBe(counted().length)
        }
        guard.close()
      }),
      { numRuns: 200 },
    )
  })
})
