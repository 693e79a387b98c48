import { describe, expect, it } from 'vitest'
import { withinDeadline } from './deadline.ts'
import { manualClock } from './manual-clock.ts'

function promise(): { readonly wait: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    end = resolve
  })
  return { wait, end }
}

/** Waits, and tells whether it is over. */
function watch(wait: Promise<void>): { readonly isOver: boolean } {
  const seen = { isOver: false }
  void wait.then(() => {
    seen.isOver = true
  })
  return seen
}

describe('waiting within a deadline', () => {
  it('ends when the last of them has ended, and leaves no timer', async () => {
    const clock = manualClock()
    const [a, b] = [promise(), promise()]
    const seen = watch(withinDeadline([a.wait, b.wait], 500, clock))
    a.end()
    await clock.advance(0)
    expect(seen.isOver).toBe(false)
    b.end()
    await clock.advance(0)
    expect(seen.isOver).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('ends at the deadline when one never ends, and not a millisecond before', async () => {
    const clock = manualClock()
    const a = promise()
    const seen = watch(withinDeadline([a.wait, new Promise(() => undefined)], 500, clock))
    a.end()
    await clock.advance(499)
    expect(seen.isOver).toBe(false)
    await clock.advance(1)
    expect(seen.isOver).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('ends at once when there is nothing to wait for', async () => {
    const clock = manualClock()
    await withinDeadline([], 500, clock)
    expect(clock.pending).toBe(0)
  })

  it('is not disturbed by one that ends after the deadline', async () => {
    const clock = manualClock()
    const late = promise()
    const wait = withinDeadline([late.wait], 500, clock)
    await clock.advance(500)
    late.end()
    await clock.advance(500)
    await expect(wait).resolves.toBeUndefined()
  })

  it('measures each deadline on its own', async () => {
    const clock = manualClock()
    const shared = new Promise<void>(() => undefined)
    const first = watch(withinDeadline([shared], 500, clock))
    await clock.advance(300)
    const second = watch(withinDeadline([shared], 500, clock))
    await clock.advance(200)
    expect([first.isOver, second.isOver]).toEqual([true, false])
    await clock.advance(300)
    expect(second.isOver).toBe(true)
  })
})
