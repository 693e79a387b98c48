import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterRemoteSuccess, INITIAL_STREAK, type Streak, streak } from './streak.ts'

const after = (runs: string, policy: { fall: number; rise: number }): Streak =>
  [...runs].reduce((before, run) => streak(before, run === 'S', policy), INITIAL_STREAK)

/** Runs, and the state after each of them: `?` unknown, `+` up, `-` down. */
const ROWS: readonly [fall: number, rise: number, runs: string, states: string][] = [
  [1, 1, 'SFSFFS', '+-+--+'],
  [1, 1, 'FFS', '??+'],
  [3, 1, 'SFSFSF', '++++++'],
  [3, 1, 'SFFSFFSFFF', '+++++++++-'],
  [3, 1, 'SFFFS', '+++-+'],
  [3, 2, 'SFFFSFSS', '+++----+'],
  [3, 2, 'SFFFSFSFSFSFFFSS', '+++------------+'],
  [3, 3, 'SFFFSSS', '+++---+'],
  // before the first success nothing counts, and that one always does
  [3, 3, 'S', '+'],
  [3, 3, 'FFFFS', '????+'],
  [1, 3, 'FSFSSS', '?+---+'],
  [3, 1, 'FFSFFSFFF', '??++++++-'],
  // once up, the failures count anew
  [2, 2, 'SFFSSFSFSFF', '++--++++++-'],
  [100, 1, `S${'F'.repeat(100)}`, `${'+'.repeat(100)}-`],
]

describe('runs in a row', () => {
  it('has 14 rows', () => expect(ROWS).toHaveLength(14))

  it.each(ROWS)('fall %d, rise %d: after %s reads %s', (fall, rise, runs, states) => {
    const read = { unknown: '?', up: '+', down: '-' }
    const seen = [...runs].map((_, i) => read[after(runs.slice(0, i + 1), { fall, rise }).state])
    expect(seen.join('')).toBe(states)
  })

  it('leaves the streak it was given as it was', () => {
    const before = Object.freeze({ ...INITIAL_STREAK })
    streak(before, true, { fall: 1, rise: 1 })
    expect(before).toEqual({ state: 'unknown', failures: 0, successes: 0 })
  })
})

describe('over any runs', () => {
  const policies = fc.record({ fall: fc.integer({ min: 1, max: 5 }), rise: fc.integer({ min: 1, max: 5 }) })
  const runs = fc.string({ unit: fc.constantFrom('S', 'F'), maxLength: 40 })

  it('the state is what the last decisive row of runs says', () => {
    const model = (all: string, { fall, rise }: { fall: number; rise: number }): Streak['state'] => {
      for (let end = all.length; end > 0; end--) {
        const past = all.slice(0, end)
        if (past.endsWith('S'.repeat(rise)) || /^F*S$/.test(past)) return 'up'
        if (past.includes('S') && past.endsWith('F'.repeat(fall))) return 'down'
      }
      return 'unknown'
    }
    fc.assert(
      fc.property(runs, policies, (all, policy) => {
        expect(after(all, policy).state).toBe(model(all, policy))
      }),
      { numRuns: 1_000 },
    )
  })

  it('the counts are those of the row at the end', () => {
    fc.assert(
      fc.property(runs, policies, (all, policy) => {
        const { failures, successes } = after(all, policy)
        expect(failures).toBe(/F*$/.exec(all)?.[0].length)
        expect(successes).toBe(/S*$/.exec(all)?.[0].length)
      }),
    )
  })

  it('failures with a success between them never trip a higher fall, however many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.nat(50), (fall, times) => {
        const flapping = `S${`${'F'.repeat(fall - 1)}S`.repeat(times)}${'F'.repeat(fall - 1)}`
        expect(after(flapping, { fall, rise: 1 }).state).toBe('up')
        expect(after(`${flapping}F`, { fall, rise: 1 }).state).toBe('down')
      }),
    )
  })
})

describe('runs for which somebody vouches', () => {
  it.each([
    ['', 'up'],
    ['F', 'up'],
    ['FF', 'up'],
    ['FFF', 'down'],
    ['FFFF', 'down'],
    ['S', 'up'],
    ['SFF', 'up'],
    ['SFFF', 'down'],
    ['SFFFS', 'down'],
  ])('%s with a fall of 3: %s, as if a success had come before them', (runs, state) => {
    const policy = { fall: 3, rise: 2 }
    expect(afterRemoteSuccess(after(runs, policy), policy.fall).state).toBe(state)
    expect(after(`S${runs}`, policy).state).toBe(state)
  })
})
