import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONDITIONS, type Condition } from '../vocabulary/verdict-move.ts'
import { type Direction, move, SOUND, type Standing } from './move.ts'

const causesOf = (condition: Condition): readonly string[] =>
  condition === 'healthy' ? [] : ['database', condition]
const standing = (condition: Condition): Standing => ({ condition, causes: causesOf(condition) })

const ROWS: readonly (readonly [from: Condition, to: Condition, Direction, cause: string])[] = [
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
  it('has a row for every pair', () => expect(ROWS).toHaveLength(CONDITIONS.length ** 2))

  it.each(ROWS)('%s -> %s: %s, because of %s', (from, to, direction, cause) => {
    expect(move(standing(from), standing(to))).toEqual({ direction, cause })
  })

  it('starts healthy', () => expect(SOUND).toEqual({ condition: 'healthy', causes: [] }))

  it('says so where nothing is checked, which is unhealthy without a cause', () => {
    const { cause } = move(SOUND, { condition: 'unhealthy', causes: [] })
    expect(cause).toBe('nothing is checked')
  })

  it('in any order falls and comes back as often as the conditions say, and no step is lost', () => {
    const worse = { healthy: 0, degraded: 1, unhealthy: 2 }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CONDITIONS), { maxLength: 50 }), (conditions) => {
        let before = SOUND
        for (const condition of conditions) {
          const { direction } = move(before, standing(condition))
          const by = worse[condition] - worse[before.condition]
          const expected =
            by > 0 ? 'falls' : by === 0 ? 'stays' : condition === 'healthy' ? 'recovers' : 'rises'
          expect(direction).toBe(expected)
          before = standing(condition)
        }
      }),
    )
  })
})
