import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'
import { manualClock } from './manual-clock.ts'

test('a breaker opens at the third failure in a row, reports it once, and closes after its time', async () => {
  const clock = manualClock()
  const breaker = createBreaker(clock, { after: 3, forMs: 1_000 })
  expect([breaker.recordFailure(), breaker.recordFailure(), breaker.isOpen]).toEqual([false, false, false])
  expect([breaker.recordFailure(), breaker.isOpen]).toEqual([true, true])
  await clock.advance(999)
  expect(breaker.isOpen).toBe(true)
  await clock.advance(1)
  expect(breaker.isOpen).toBe(false)
})

test('a failure after its time reopens a breaker without a report; a success closes it and is reported', async () => {
  const clock = manualClock()
  const breaker = createBreaker(clock, { after: 2, forMs: 1_000 })
  breaker.recordFailure()
  breaker.recordFailure()
  await clock.advance(1_000)
  expect([breaker.recordFailure(), breaker.isOpen]).toEqual([false, true])
  expect([breaker.recordSuccess(), breaker.isOpen]).toEqual([true, false])
  expect(breaker.recordSuccess()).toBe(false)
})

test('failures that are not in a row never open a breaker', () => {
  const breaker = createBreaker(manualClock(), { after: 2, forMs: 1_000 })
  for (let i = 0; i < 100; i++) {
    breaker.recordFailure()
    expect(breaker.recordSuccess()).toBe(false)
  }
  expect(breaker.isOpen).toBe(false)
})
