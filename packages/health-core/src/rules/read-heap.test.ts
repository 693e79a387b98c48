import { expect, it } from 'vitest'
import { readHeap } from './read-heap.ts'

const MB = 1_048_576
const spaces = [
  { name: 'new_space', used: 10 * MB },
  { name: 'new_large_object_space', used: 2 * MB },
  { name: 'old_space', used: 30 * MB },
]

const ROWS: readonly (readonly [what: string, used: number, limit: number, usage: readonly number[]])[] = [
  ['a heap as Node has it by default', 42, 4_144, [30, 4_096]],
  ['one of --max-old-space-size=64', 42, 112, [30, 64]],
  ['one that is smaller than the young share', 42, 60, [30, 30]],
  ['less in use than the young hold, read a moment later', 11, 4_144, [0, 4_096]],
]

it('the readHeap table has 4 rows', () => expect(ROWS).toHaveLength(4))
it.each(ROWS)('%s', (_what, used, limit, [expectedUsed, expectedLimit]) => {
  const { used: got, limit: of } = readHeap({ used: used * MB, limit: limit * MB, spaces })
  expect([got / MB, of / MB]).toEqual([expectedUsed, expectedLimit])
})
