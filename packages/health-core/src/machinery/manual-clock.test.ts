import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'

describe('a clock that stands still', () => {
  it('moves only when it is moved', async () => {
    const clock = manualClock(5)
    expect(clock.now()).toBe(5)
    const wall = clock.wall()
    await clock.advance(250)
    expect(clock.now()).toBe(255)
    expect(clock.wall() - wall).toBe(250)
  })

  it('fires a timer when its time has come, once, and shows that time', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    clock.after(100, () => fired.push(clock.now()))
    expect(clock.pending).toBe(1)
    await clock.advance(99)
    expect(fired).toEqual([])
    await clock.advance(1_000)
    expect(fired).toEqual([100])
    expect(clock.pending).toBe(0)
    expect(clock.now()).toBe(1_099)
  })

  it('never fires within the call that set the timer', async () => {
    const clock = manualClock(0)
    let hasFired = false
    clock.after(0, () => {
      hasFired = true
    })
    expect(hasFired).toBe(false)
    await clock.advance(0)
    expect(hasFired).toBe(true)
  })

  it('does not fire what was cancelled, also by another timer of the same moment', async () => {
    const clock = manualClock(0)
    const fired: string[] = []
    const cancel = clock.after(10, () => fired.push('cancelled before'))
    cancel()
    cancel()
    expect(clock.pending).toBe(0)
    const cancelLater: (() => void)[] = []
    clock.after(10, () => {
      for (const each of cancelLater) each()
    })
    cancelLater.push(clock.after(10, () => fired.push('cancelled by another')))
    await clock.advance(10)
    expect(fired).toEqual([])
  })

  it('fires a timer that another one set, if it falls due as well', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    clock.after(10, () => {
      clock.after(10, () => fired.push(clock.now()))
      clock.after(11, () => fired.push(clock.now()))
    })
    await clock.advance(20)
    expect(fired).toEqual([20])
    expect(clock.pending).toBe(1)
  })

  it('lets promises settle between two timers', async () => {
    const clock = manualClock(0)
    const seen: string[] = []
    clock.after(10, () => {
      void Promise.resolve()
        .then(() => undefined)
        .then(() => seen.push(`promise at ${clock.now()}`))
    })
    clock.after(20, () => seen.push('timer'))
    await clock.advance(20)
    expect(seen).toEqual(['promise at 10', 'timer'])
  })

  it('fires in the order of time, then of setting, and leaves the rest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 12 }), fc.nat(60), async (waits, ms) => {
        const clock = manualClock(0)
        const fired: [due: number, index: number][] = []
        waits.forEach((wait, index) => {
          clock.after(wait, () => fired.push([clock.now(), index]))
        })
        await clock.advance(ms)
        const expected = waits
          .map((wait, index) => [wait, index] as const)
          .filter(([wait]) => wait <= ms)
          .sort(([a, i], [b, j]) => a - b || i - j)
        expect(fired).toEqual(expected)
        expect(clock.pending).toBe(waits.length - fired.length)
        expect(clock.now()).toBe(ms)
      }),
      { numRuns: 60 },
    )
  })
})
