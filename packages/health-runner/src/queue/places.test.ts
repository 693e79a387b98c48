import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

test('tells how many are before somebody, whoever came and went', () => {
  const command = fc.record({ isIn: fc.boolean(), order: fc.integer({ min: 0, max: 2_000 }) })
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), fc.nat(2_100), (commands, asked) => {
      const places = createPlaces()
      const inside = new Set<number>()
      for (const { isIn, order } of commands) {
        places[isIn ? 'add' : 'delete'](order)
        inside[isIn ? 'add' : 'delete'](order)
      }
      for (const order of [asked, ...inside]) {
        expect(places.before(order)).toBe([...inside].filter((each) => each < order).length)
      }
    }),
  )
})
