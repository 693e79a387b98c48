import { expect, test } from 'vitest'
import { compareWithModel } from './testing/verdict-model.ts'

test('10 000 random sequences of runs, polls and drains agree with a model of them', {
  timeout: 300_000,
}, async () => {
  const seen = await compareWithModel({ numRuns: 10_000, seed: 20_261_130 })
  // every move, both answers and the drain were reached many times
  expect(Object.keys(seen)).toHaveLength(6 + 2 + 1)
  for (const [what, times] of Object.entries(seen)) expect([what, times > 100]).toEqual([what, true])
})
