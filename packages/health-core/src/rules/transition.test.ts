import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VERDICT_STATES, type VerdictState } from '../vocabulary/verdict-transition.ts'
import { type Direction, INITIAL_STANDING, transition, type VerdictStanding } from './transition.ts'

const causesOf = (condition: VerdictState): readonly string[] =>
  condition === 'healthy' ? [] : ['database', condition]
const standing = (state: VerdictState): VerdictStanding => ({ state, causes: causesOf(state) })

const ROWS: readonly (readonly [from: VerdictState, to: VerdictState, Direction, cause: string])[] = [
  ['healthy', 'healthy', 'stays', 'nothing is checked'],
  ['healthy', 'degraded', 'falls', 'database, degraded'],
  ['healthy', 'unhealthy', 'falls', 'database, unhealthy'],
  ['degraded', 'healthy', 'recovers', 'database, degraded'],
  ['degraded', 'degraded', 'stays', 'database, degraded'],
  ['degraded', 'unhealthy', 'falls', 'database, unhealthy'],
  ['unhealthy', 'healthy', 'recovers', 'database, unhealthy'],
  ['unhealthy', 'degraded', 'rises', 'database, degraded'],
  ['unhealthy', 'unhealthy', 'stays', 'database, unhealthy'],
]

describe('a step of the verdict', () => {
  it('has a row for every pair', () => expect(ROWS).toHaveLength(VERDICT_STATES.length ** 2))

  it.each(ROWS)('%s -> %s: %s, because of %s', (from, to, direction, cause) => {
    expect(transition(standing(from), standing(to))).toEqual({ direction, cause })
  })

  it('starts healthy', () => expect(INITIAL_STANDING).toEqual({ state: 'healthy', causes: [] }))

  it('says so where nothing is checked, which is unhealthy without a cause', () => {
    const { cause } = transition(INITIAL_STANDING, { state: 'unhealthy', causes: [] })
    expect(cause).toBe('nothing is checked')
  })

  it('in any order falls and comes back as often as the conditions say, and no step is lost', () => {
    const worse = { healthy: 0, degraded: 1, unhealthy: 2 }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...VERDICT_STATES), { maxLength: 50 }), (conditions) => {
        let before = INITIAL_STANDING
        for (const condition of conditions) {
          const { direction } = transition(before, standing(condition))
          const by = worse[condition] - worse[before.state]
          const expected =
            by > 0 ? 'falls' : by === 0 ? 'stays' : condition === 'healthy' ? 'recovers' : 'rises'
          expect(direction).toBe(expected)
          before = standing(condition)
        }
      }),
    )
  })
})
