import { expect, test } from 'vitest'
import { compareWithModel } from './testing/verdict-model.ts'

test('2 500 random sequences of runs, polls and drains, others in each run, agree with a model of them', {
  timeout: 300_000,
}, async () => {
  const seen = await compareWithModel({ numRuns: 2_500, seed: Date.now() })
  // every move, both answers and the drain were reached many times
  expect(Object.keys(seen)).toHaveLength(6 + 2 + 1)
  for (const [what, times] of Object.entries(seen)) expect([what, times > 25]).toEqual([what, true])
})
