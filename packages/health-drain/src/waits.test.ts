import { describe, expect, it } from 'vitest'
import { manualClock } from '../../health-core/src/machinery/manual-clock.ts'
import { createWaits } from './waits.ts'

describe('waiting for a moment', () => {
  const waiting = () => {
    const clock = manualClock()
    const waits = createWaits(clock)
    const seen: string[] = []
    const note = (name: string) => (value: unknown) => void seen.push(`${name} ${String(value)}`)
    return { clock, waits, seen, note }
  }
  const never = new Promise(() => undefined)

  it('ends with it', async () => {
    const { clock, waits, seen, note } = waiting()
    void waits.until(() => clock.now() + 0).then(note('now'))
    const at = clock.now() + 100
    void waits.until(() => at).then(note('later'))
    await clock.advance(99)
    expect(seen).toEqual(['now undefined'])
    await clock.advance(1)
    expect(seen).toEqual(['now undefined', 'later undefined'])
  })

  it('ends sooner when the moment was brought forward, and not when it was put off', async () => {
    const { clock, waits, seen, note } = waiting()
    let at = clock.now() + 1_000
    void waits.comesBefore(() => at, never).then(note('in time'))
    await clock.advance(100)
    at = clock.now() + 50
    waits.reschedule()
    await clock.advance(49)
    expect(seen).toEqual([])
    at += 10
    await clock.advance(1)
    expect(seen).toEqual([])
    await clock.advance(10)
    expect(seen).toEqual(['in time false'])
  })

  it('tells what has come in time, also a failure, and leaves no timer', async () => {
    const { clock, waits, seen, note } = waiting()
    void waits.comesWithin(100, Promise.resolve()).then(note('done'))
    void waits.comesWithin(100, Promise.reject(new Error('no'))).then(note('failed'))
    await clock.advance(1)
    expect(seen).toEqual(['done true', 'failed true'])
    expect(clock.pending).toBe(0)
  })
})
