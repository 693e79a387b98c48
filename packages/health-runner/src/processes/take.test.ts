import { describe, expect, it } from 'vitest'
import { fleetUnderTest } from '../testing/fleet-under-test.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

const OK: RequestOutcome = { kind: 'answered', status: 200 }

describe('taking runners', () => {
  it('goes round, idle ones first, and each kind to its own limit', async () => {
    const { fleet, idle, take, runner } = await fleetUnderTest('listen', { runners: 3, directConcurrency: 2 })
    await idle(3)
    const turns = Array.from({ length: 6 }, () => {
      const lease = take()
      lease.end(OK)
      return lease.runner.name
    })
    expect(turns).toEqual(['1.1', '2.1', '3.1', '1.1', '2.1', '3.1'])

    const first = take()
    expect([take(), take()].map((lease) => lease.runner.name)).toEqual(['2.1', '3.1'])
    // a queued one fits beside a direct one, but no second queued one
    expect([take('queued'), take('queued'), take('queued')].map((lease) => lease.runner.name)).toEqual([
      ...['1.1', '2.1', '3.1'],
    ])
    expect(fleet.take('queued')).toBeUndefined()
    expect([take(), take(), take()].map((lease) => lease.runner.name)).toEqual(['1.1', '2.1', '3.1'])
    expect(fleet.take('direct')).toBeUndefined()
    expect(runner('2.1')).toMatchObject({ state: 'running', direct: 2, queued: 1, served: 2 })
    first.end(OK)
    expect(runner('1.1')).toMatchObject({ state: 'running', direct: 1, queued: 1, served: 3 })
    expect(fleet.take('queued')).toBeUndefined()
    expect(take().runner.name).toBe('1.1')
  })
})

describe('scaling', () => {
  it('up starts more, down lets the last ones finish what they have', async () => {
    const { fleet, idle, event, take, takeFrom, moves, names } = await fleetUnderTest('listen')
    await idle(1)
    fleet.scale(3)
    expect(fleet.snapshot().wanted).toBe(3)
    await idle(3)
    const [busy, other] = [takeFrom('3.1'), takeFrom('1.1')]
    fleet.scale(1)
    await event('2.1', 'gone')
    expect(moves('3.1').endsWith('running draining')).toBe(true)
    expect((await event('3.1', 'draining')).reason).toBe('scaled_down')
    // only the first one is there for more
    expect([take(), take()].map((lease) => lease.runner.name)).toEqual(['1.1', '1.1'])
    busy.end(OK)
    await event('3.1', 'gone')
    expect(names()).toEqual(['1.1'])
    other.end(OK)
  })

  it('up gives the guard more room, for one that is held for a timeout', async () => {
    const { fleet, idle, event, takeFrom, runner } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    for (const name of ['1.1', '2.1']) takeFrom(name).end({ kind: 'timed_out' })
    expect(runner('2.1')?.isHeld).toBe(true)
    fleet.scale(7)
    expect(await event('2.1', 'terminating')).toMatchObject({ reason: 'timed_out' })
    expect(fleet.snapshot().guard).toEqual({ ended: 2, allowed: 2 })
  })

  it('down ends those in flight after one request timeout', async () => {
    const { fleet, idle, event, takeFrom, clock, moves } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    const lease = takeFrom('2.1')
    fleet.scale(1)
    clock.jump(19_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(moves('2.1').endsWith('draining')).toBe(true)
    clock.jump(1_000)
    await event('2.1', 'gone')
    lease.end({ kind: 'broken', type: 'runner_disconnected' })
  })

  it('down ends what starts and what waits, and up again starts a further process', async () => {
    const { fleet, event, moves, names, lines } = await fleetUnderTest('never', { runners: 3 })
    await event('2.1', 'starting')
    process.kill((await event('3.1', 'starting')).pid ?? 0, 'SIGKILL')
    await event('3.2', 'crash_backoff')
    fleet.scale(1)
    expect(moves('3.2')).toBe('crash_backoff gone')
    expect(await event('2.1', 'gone')).toMatchObject({ reason: 'scaled_down' })
    expect(names()).toEqual(['1.1'])
    fleet.scale(2)
    await event('2.2', 'starting')
    fleet.scale(0)
    await event('1.1', 'gone')
    expect(fleet.take('direct')).toBeUndefined()
    expect(lines.filter((line) => line.startsWith('warn')).length).toBe(1)
  })

  it('down before the first process has been started starts none', async () => {
    const { fleet, idle, events, names } = await fleetUnderTest('listen')
    fleet.scale(0)
    expect(names()).toEqual([])
    fleet.scale(1)
    await idle(1)
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['1.2']))
  })

  it('up again while one drains starts another beside it', async () => {
    const { fleet, idle, event, takeFrom, names } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    const lease = takeFrom('2.1')
    fleet.scale(1)
    fleet.scale(2)
    await event('2.2', 'idle')
    expect(names()).toEqual(['1.1', '2.1', '2.2'])
    lease.end(OK)
    await event('2.1', 'gone')
    expect(names()).toEqual(['1.1', '2.2'])
  })

  it('up again while one drains waits for its end with stop_first', async () => {
    const { fleet, idle, event, takeFrom, names } = await fleetUnderTest('listen', {
      runners: 2,
      replace: 'stop_first',
    })
    await idle(2)
    const lease = takeFrom('2.1')
    fleet.scale(1)
    fleet.scale(2)
    expect(names()).toEqual(['1.1', '2.1'])
    lease.end(OK)
    await event('2.2', 'idle')
    expect(names()).toEqual(['1.1', '2.2'])
  })

  it('to what is no number of runners is refused', async () => {
    const { fleet } = await fleetUnderTest('listen', { runners: 0 })
    for (const count of [-1, 1.5, Number.NaN, 1_001]) expect(() => fleet.scale(count)).toThrow(RangeError)
    expect(fleet.snapshot()).toEqual({ wanted: 0, runners: [], guard: { ended: 0, allowed: 1 } })
  })
})
