import { test } from 'vitest'
import { compareWithList } from '../testing/memory-store-model.ts'

test(
  'does what a plain list would, whatever is asked of it in 1 000 random orders',
  { timeout: 300_000 },
  () => compareWithList({ numRuns: 1_000 }),
)
