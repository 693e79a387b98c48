import { test } from 'vitest'
import { compareWithList } from '../testing/memory-store-model.ts'

test('does what a plain list would, whatever is asked of it in which order', () =>
  compareWithList({ numRuns: 30, seed: 20_261_201 }))
