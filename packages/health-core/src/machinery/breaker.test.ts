import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'
import { manualClock } from './manual-clock.ts'

test('opens at the third failure in a row, says so once, and closes after its time', async () => {
  const clock = manualClock()
  const breaker = createBreaker(clock, { after: 3, forMs: 1_000 })
  expect([breaker.failed(), breaker.failed(), breaker.isOpen]).toEqual([false, false, false])
  expect([breaker.failed(), breaker.isOpen]).toEqual([true, true])
  await clock.advance(999)
  expect(breaker.isOpen).toBe(true)
  await clock.advance(1)
  expect(breaker.isOpen).toBe(false)
})

test('one more failure after the rest opens it again without a word; a success ends the row with one', async () => {
  const clock = manualClock()
  const breaker = createBreaker(clock, { after: 2, forMs: 1_000 })
  breaker.failed()
  breaker.failed()
  await clock.advance(1_000)
  expect([breaker.failed(), breaker.isOpen]).toEqual([false, true])
  expect([breaker.succeeded(), breaker.isOpen]).toEqual([true, false])
  expect(breaker.succeeded()).toBe(false)
})

test('failures that are not in a row never open it', () => {
  const breaker = createBreaker(manualClock(), { after: 2, forMs: 1_000 })
  for (let i = 0; i < 100; i++) {
    breaker.failed()
    expect(breaker.succeeded()).toBe(false)
  }
  expect(breaker.isOpen).toBe(false)
})
