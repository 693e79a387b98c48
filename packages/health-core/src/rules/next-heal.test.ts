import { describe, expect, it } from 'vitest'
import { countRun, type HealState, INITIAL_HEAL_STATE, nextHeal } from './next-heal.ts'

const BOUNDS = { afterFailures: 3, cooldownMs: 60_000, maxAttempts: 2 }
const NOW = 1_000_000

const ROWS: readonly (readonly [what: string, Partial<HealState>, ReturnType<typeof nextHeal>])[] = [
  ['it does not fail', {}, 'wait'],
  ['it has failed too rarely', { failures: 2 }, 'wait'],
  ['it keeps failing', { failures: 3 }, 'heal'],
  ['it has failed for long', { failures: 300 }, 'heal'],
  ['a try is under way', { failures: 3, isRunning: true, attempts: 1 }, 'wait'],
  ['a try has timed out and not settled', { failures: 9, isRunning: true, attempts: 1, endedAt: 0 }, 'wait'],
  ['the last try was a moment ago', { failures: 9, attempts: 1, endedAt: NOW - 59_999 }, 'wait'],
  ['the last try was long enough ago', { failures: 9, attempts: 1, endedAt: NOW - 60_000 }, 'heal'],
  ['the last of all tries was a moment ago', { failures: 9, attempts: 2, endedAt: NOW - 1 }, 'wait'],
  ['the last of all tries has had its time', { failures: 9, attempts: 2, endedAt: NOW - 60_000 }, 'give_up'],
  ['it was given up', { failures: 99, attempts: 2, endedAt: 0, isGivenUp: true }, 'wait'],
]

it('the nextHeal table has 11 rows', () => expect(ROWS).toHaveLength(11))
it.each(ROWS)('%s', (_what, state, next) => {
  expect(nextHeal({ ...INITIAL_HEAL_STATE, ...state }, NOW, BOUNDS)).toBe(next)
})

describe('counting runs', () => {
  it('failures are truly in a row', () => {
    const runs = [false, false, true, false, false, true, false]
    const seen = runs.reduce(countRun, INITIAL_HEAL_STATE)
    expect(seen.failures).toBe(1)
    expect(runs.slice(0, 2).reduce(countRun, INITIAL_HEAL_STATE).failures).toBe(2)
  })

  it('a usable run resets the attempts and the giving up, not the time since the last attempt', () => {
    const before: HealState = { failures: 9, attempts: 2, endedAt: 7, isRunning: true, isGivenUp: true }
    expect(countRun(before, true)).toEqual({
      failures: 0,
      attempts: 0,
      endedAt: 7,
      isRunning: true,
      isGivenUp: false,
    })
    expect(countRun(before, false)).toEqual({ ...before, failures: 10 })
  })
})
