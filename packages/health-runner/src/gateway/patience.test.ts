import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createPatience } from './patience.ts'

const patient = () => {
  const clock = manualClock()
  let over = 0
  const patience = createPatience(clock, 1_000, () => {
    over += 1
  })
  return { clock, patience, over: () => over }
}

describe('patience', () => {
  it('ends once after its time', async () => {
    const { clock, patience, over } = patient()
    patience.wait()
    await clock.advance(999)
    expect(over()).toBe(0)
    await clock.advance(1)
    expect(over()).toBe(1)
    await clock.advance(10_000)
    expect(over()).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('begins anew each time, with one timer', async () => {
    const { clock, patience, over } = patient()
    for (let turn = 0; turn < 10; turn++) {
      patience.wait()
      expect(clock.pending).toBe(1)
      await clock.advance(900)
    }
    expect(over()).toBe(0)
    await clock.advance(100)
    expect(over()).toBe(1)
  })

  it('is not used up by rest', async () => {
    const { clock, patience, over } = patient()
    patience.wait()
    await clock.advance(900)
    patience.rest()
    expect(clock.pending).toBe(0)
    await clock.advance(10_000)
    expect(over()).toBe(0)
    patience.wait()
    await clock.advance(999)
    expect(over()).toBe(0)
    await clock.advance(1)
    expect(over()).toBe(1)
  })
})
