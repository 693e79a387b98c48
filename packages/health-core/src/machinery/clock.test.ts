import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const watchTimers = () => vi.spyOn(globalThis, 'setTimeout')

describe('the machine’s clock', () => {
  it('never goes back, and counts in milliseconds from somewhere', () => {
    const before = performance.now()
    const times = Array.from({ length: 1_000 }, () => systemClock.now())
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBeGreaterThanOrEqual(before)
    expect(times.at(-1)).toBeLessThanOrEqual(performance.now())
  })

  it('does not follow the wall clock when that steps', () => {
    const before = systemClock.now()
    vi.spyOn(Date, 'now').mockReturnValue(0)
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
    expect(systemClock.wall()).toBe(0)
  })

  it('fires once, after the time it was given', async () => {
    let count = 0
    const start = systemClock.now()
    const { promise, keepAlive } = held()
    systemClock.after(5, () => {
      count += 1
      keepAlive()
    })
    await promise
    // timers of Node may be up to a millisecond early on this scale
    expect(systemClock.now() - start).toBeGreaterThanOrEqual(4)
    expect(count).toBe(1)
  })

  it('its timers never keep the process alive', () => {
    const timers = watchTimers()
    const cancel = systemClock.after(60_000, () => undefined)
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([60_000])
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false])
    cancel()
  })

  it('cancelling lets go of the timer, and may be done twice', () => {
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    const timers = watchTimers()
    const cancel = systemClock.after(60_000, () => undefined)
    cancel()
    cancel()
    expect(cleared.mock.calls[0]?.[0]).toBe(timers.mock.results[0]?.value)
  })
})

/** A promise, and something with a reference meanwhile: the clock's own timers have none. */
function held(): { readonly promise: Promise<void>; readonly keepAlive: () => void } {
  const holder = setInterval(() => undefined, 1_000)
  let keepAlive = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    keepAlive = () => {
      clearInterval(holder)
      resolve()
    }
  })
  return { promise, keepAlive }
}
