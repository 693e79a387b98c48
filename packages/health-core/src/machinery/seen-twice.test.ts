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

it('seenTwice looks once when the first look is good', async () => {
  const { clock, result, looks } = looking(false)
  expect(await result).toBe(false)
  expect([looks(), clock.pending]).toEqual([1, 0])
})

it.each([[true], [false]])(
  'seenTwice looks again after a bad look, and the second result counts (%s)',
  async (second) => {
    const { clock, result, looks } = looking(true, second)
    await clock.advance(999)
    expect(looks()).toBe(1)
    await clock.advance(1)
    expect([await result, looks()]).toEqual([second, 2])
  },
)

it('an abort during the pause of seenTwice ends the pause and its timer', async () => {
  const { clock, controller, result, looks } = looking(true, true)
  await clock.advance(1)
  controller.abort(new Error('enough'))
  await expect(result).rejects.toThrow('enough')
  expect([looks(), clock.pending]).toEqual([1, 0])
})

it('seenTwice does not wait when its signal has already aborted', async () => {
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
