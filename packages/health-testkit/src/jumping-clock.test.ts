import { expect, test } from 'vitest'
import { jumpingClock } from './jumping-clock.ts'

test('a jump fires what falls due in its order, and what was cancelled on the way never', () => {
  const clock = jumpingClock()
  const fired: string[] = []
  const cancelled = clock.after(60_000, () => fired.push('cancelled'))
  clock.after(90_000, () => fired.push('later'))
  clock.after(30_000, () => {
    fired.push('sooner')
    cancelled()
  })
  clock.after(200_000, () => fired.push('not yet'))
  expect(clock.waits).toEqual([60_000, 90_000, 30_000, 200_000])
  const wall = clock.wall()
  clock.jump(100_000)
  expect(fired).toEqual(['sooner', 'later'])
  expect(clock.waits).toEqual([200_000])
  expect(clock.wall() - wall).toBeGreaterThanOrEqual(100_000)
})

test('time runs by itself too', async () => {
  const clock = jumpingClock()
  const fired = new Promise((resolve) => clock.after(5, () => resolve('fired')))
  await clock.untilTimersAreLonger(5)
  expect(await fired).toBe('fired')
})
