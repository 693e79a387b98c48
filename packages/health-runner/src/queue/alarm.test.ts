import { expect, test } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createAlarm } from './alarm.ts'

test('fires at the time that was set last, once, and not when none is', async () => {
  const clock = manualClock(0)
  const fired: number[] = []
  const alarm = createAlarm(clock, () => fired.push(clock.now()))
  alarm.set(100)
  alarm.set(50.4)
  await clock.advance(200)
  expect(fired).toEqual([51])
  alarm.set(300)
  alarm.set(undefined)
  expect(clock.pending).toBe(0)
  await clock.advance(200)
  expect(fired).toEqual([51])
})

test('fires for a time that has gone by, and in between for one that no timer reaches', async () => {
  const clock = manualClock(0)
  let fired = 0
  const alarm = createAlarm(clock, () => {
    fired += 1
  })
  alarm.set(-5)
  await clock.advance(0)
  expect(fired).toBe(1)
  alarm.set(2 ** 31 + 5)
  await clock.advance(2 ** 31 - 2)
  expect(fired).toBe(1)
  await clock.advance(1)
  expect(fired).toBe(2)
})
