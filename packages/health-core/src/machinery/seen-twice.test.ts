import { expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { seenTwice } from './seen-twice.ts'

function looking(...seen: boolean[]) {
  const clock = manualClock()
  const controller = new AbortController()
  let looks = 0
  const look = (): boolean => seen[looks++] ?? false
  const result = seenTwice(look, (bad) => bad, 1_000, { clock, signal: controller.signal })
  return { clock, controller, result, looks: () => looks }
}

it('what is well is looked at once', async () => {
  const { clock, result, looks } = looking(false)
  expect(await result).toBe(false)
  expect([looks(), clock.pending]).toEqual([1, 0])
})

it.each([[true], [false]])('what is not is looked at again, and then %s counts', async (second) => {
  const { clock, result, looks } = looking(true, second)
  await clock.advance(999)
  expect(looks()).toBe(1)
  await clock.advance(1)
  expect([await result, looks()]).toEqual([second, 2])
})

it('a signal that aborts in the pause ends it, and its timer', async () => {
  const { clock, controller, result, looks } = looking(true, true)
  await clock.advance(1)
  controller.abort(new Error('enough'))
  await expect(result).rejects.toThrow('enough')
  expect([looks(), clock.pending]).toEqual([1, 0])
})

it('a signal that has aborted before lets nothing wait', async () => {
  const clock = manualClock()
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(
    seenTwice(
      () => true,
      (bad) => bad,
      1_000,
      { clock, signal },
    ),
  ).rejects.toThrow('enough')
  expect(clock.pending).toBe(0)
})
