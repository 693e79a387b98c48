import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrdered } from './ordered.ts'

test('has the least first, whatever goes in and out, from anywhere', () => {
  const command = fc.record({ isIn: fc.boolean(), index: fc.nat(14) })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 15, maxLength: 15 }),
      fc.array(command, { maxLength: 120 }),
      (keys, commands) => {
        const items = keys.map((key) => ({ key }))
        const ordered = createOrdered<{ key: number }>(({ key }) => key)
        const inside = new Set<{ key: number }>()
        for (const { isIn, index } of commands) {
          const item = items[index] as { key: number }
          if (isIn) {
            ordered.add(item)
            inside.add(item)
          } else {
            ordered.delete(item)
            inside.delete(item)
          }
          expect(ordered.size).toBe(inside.size)
          expect(ordered.first?.key).toBe(
            inside.size === 0 ? undefined : Math.min(...[...inside].map(({ key }) => key)),
          )
          if (ordered.first !== undefined) expect(inside.has(ordered.first)).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
})
