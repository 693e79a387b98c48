import { expect, it } from 'vitest'
import { judgeMemory, type MemoryFigures } from './judge-memory.ts'

const MB = 1_048_576
const heap = (used: number, limit: number): MemoryFigures['heap'] => ({ used: used * MB, limit: limit * MB })
const HEAP = { usable: false, code: 'HEAP_HIGH' }
const GROUP = { usable: false, code: 'MEMORY_HIGH' }

const ROWS: readonly (readonly [what: string, MemoryFigures, unknown])[] = [
  // C61: 45 of 46 MB of heap in use says nothing, since V8 has not asked for more yet
  ['an idle process', { heap: heap(45, 4_144), groups: [] }, true],
  ['below the share of the heap', { heap: heap(899, 1_000), groups: [] }, true],
  ['the share of the heap', { heap: heap(900, 1_000), groups: [] }, HEAP],
  ['a container with room', { heap: heap(45, 4_144), groups: [heap(100, 512)] }, true],
  // the heap alone would have room for gigabytes
  ['a container smaller than the heap may get', { heap: heap(400, 4_144), groups: [heap(470, 512)] }, GROUP],
  ['a heap smaller than its container', { heap: heap(240, 256), groups: [heap(300, 8_192)] }, HEAP],
  ['a group above it', { heap: heap(45, 4_144), groups: [heap(10, 512), heap(990, 1_000)] }, GROUP],
  ['both', { heap: heap(99, 100), groups: [heap(99, 100)] }, HEAP],
]

it('the judgeMemory table has 8 rows', () => expect(ROWS).toHaveLength(8))
it.each(ROWS)('%s', (_what, figures, judged) => expect(judgeMemory(figures, 90)).toEqual(judged))
