import { describe, expect, it } from 'vitest'
import { manualClock } from '../../machinery/manual-clock.ts'
import { createLoopMeter, type LoopTime } from './loop-meter.ts'

/** A clock whose timers come late when the loop is blocked, and the loop's own account of its time. */
function blockableLoop() {
  const manual = manualClock()
  let blockedMs = 0
  let time: LoopTime = { active: 0, idle: 0 }
  const clock = { ...manual, now: () => manual.now() + blockedMs }
  const meter = createLoopMeter(clock, () => time)
  return {
    meter,
    timers: () => manual.pending,
    /** Nothing runs, and no timer fires, until it is over. */
    block: (ms: number) => {
      blockedMs += ms
      time = { ...time, active: time.active + ms }
    },
    /** Runs on, busy for a share of the time. */
    pass: async (ms: number, busy = 0) => {
      time = { active: time.active + ms * busy, idle: time.idle + ms * (1 - busy) }
      await manual.advance(ms)
    },
  }
}

describe('the delay of the loop', () => {
  it('is none at the first look, whatever came before, and while nothing blocks', async () => {
    const { meter, block, pass } = blockableLoop()
    block(5_000)
    expect(meter.look()).toEqual({ delayMs: 0 })
    await pass(10_000)
    expect(meter.look()).toEqual({ delayMs: 0, utilization: 0 })
  })

  it.each([
    ['in between', 3_000, 3_000],
    ['right after the look before', 0, 8_000],
    ['right before the look, which is the first thing to run after it', 8_000, 0],
    ['right between two looks that are nothing else', 0, 0],
  ])('is seen at the next look, and gone at the one after: a pause %s', async (_when, before, after) => {
    const { meter, block, pass } = blockableLoop()
    meter.look()
    await pass(before)
    block(2_000)
    await pass(after)
    const { delayMs } = meter.look()
    // up to a sample may have been due anyway
    expect(delayMs).toBeGreaterThanOrEqual(1_950)
    expect(delayMs).toBeLessThanOrEqual(2_000)
    await pass(5_000)
    expect(meter.look().delayMs).toBe(0)
  })

  it('is the longest of several, not their sum', async () => {
    const { meter, block, pass } = blockableLoop()
    meter.look()
    for (const ms of [300, 700, 500]) {
      block(ms)
      await pass(100)
    }
    const { delayMs } = meter.look()
    expect(delayMs).toBeGreaterThanOrEqual(650)
    expect(delayMs).toBeLessThanOrEqual(700)
  })
})

describe('the utilisation of the loop', () => {
  it('is that since the last look, not since the start', async () => {
    const { meter, pass } = blockableLoop()
    await pass(60_000, 1)
    meter.look()
    await pass(10_000, 0.5)
    expect(meter.look().utilization).toBeCloseTo(0.5)
    await pass(10_000, 0.25)
    expect(meter.look().utilization).toBeCloseTo(0.25)
  })

  it('is not told of less than a second, whose time counts at a later look', async () => {
    const { meter, pass } = blockableLoop()
    meter.look()
    await pass(600, 1)
    expect(meter.look().utilization).toBeUndefined()
    await pass(600, 0)
    expect(meter.look().utilization).toBeCloseTo(0.5)
  })
})

it('holds one timer from its first look until it is stopped, however often it looks', async () => {
  const { meter, pass, timers } = blockableLoop()
  expect(timers()).toBe(0)
  for (let i = 0; i < 100; i++) {
    meter.look()
    await pass(10)
    expect(timers()).toBe(1)
  }
  meter.stop()
  meter.stop()
  expect(timers()).toBe(0)
  expect(meter.look()).toEqual({ delayMs: 0 })
})
