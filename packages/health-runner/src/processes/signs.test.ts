import { until } from 'health-testkit'
import { describe, expect, it } from 'vitest'
import { fleetUnderTest } from '../testing/fleet-under-test.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

const OK: RequestOutcome = { kind: 'answered', status: 200 }
const BROKEN: RequestOutcome = { kind: 'broken', type: 'runner_disconnected' }

describe('a runner whose request ended', () => {
  it('with an answer that is no evidence about illness, or with nothing told, stays', async () => {
    const { idle, take, moves, runner, guards, clock } = await fleetUnderTest('listen')
    await idle(1)
    const statuses = [200, 404, 500, 502, 504]
    for (const status of statuses) {
      const lease = take()
      lease.head(status)
      lease.end({ kind: 'answered', status })
      // what comes after the end changes nothing
      lease.head(503)
      lease.end(BROKEN)
    }
    take().end({ kind: 'inconclusive' })
    // longer than a broken connection is thought about
    clock.jump(1_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(moves('1.1')).toBe(`starting idle${' running idle'.repeat(statuses.length + 1)}`)
    expect(runner('1.1')).toMatchObject({ state: 'idle', served: 2, direct: 0 })
    expect(guards).toEqual([])
  })

  it('503 is given nothing from the head on, ended when it has been answered, and replaced then', async () => {
    const { fleet, idle, take, event, moves, events, names } = await fleetUnderTest('listen')
    await idle(1)
    const lease = take()
    lease.head(503)
    expect(fleet.take('direct')).toBeUndefined()
    expect(moves('1.1')).toBe('starting idle running draining')
    // the next one is started with the SIGTERM
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(names()).toEqual(['1.1'])
    lease.end({ kind: 'answered', status: 503 })
    expect(moves('1.1')).toBe('starting idle running draining terminating')
    await event('1.1', 'gone')
    await idle(1)
    const [leaving] = events.filter(({ to }) => to === 'draining')
    expect(leaving).toMatchObject({ reason: 'answered_503', detail: 'it answered with status 503' })
    expect(fleet.snapshot().guard).toEqual({ ended: 1, allowed: 1 })
  })

  it('503 is told to end one second after the head when its answer goes on, and others with it', async () => {
    const { idle, take, clock, event, moves } = await fleetUnderTest('deaf', { killAfterMs: 5_000 })
    await idle(1)
    const [long, other] = [take(), take()]
    long.head(503)
    clock.jump(900)
    expect(moves('1.1')).toBe('starting idle running draining')
    clock.jump(200)
    await event('1.1', 'terminating')
    await event('1.2', 'starting')
    // it may still answer until it is killed
    other.end(OK)
    expect(moves('1.1')).toBe('starting idle running draining terminating')
    clock.jump(4_500)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(moves('1.1')).toBe('starting idle running draining terminating')
    clock.jump(500)
    expect((await event('1.1', 'gone')).detail).toBe('SIGKILL')
    long.end(BROKEN)
  })

  it('503 without a head is ended all the same', async () => {
    const { idle, take, event, fleet } = await fleetUnderTest('listen')
    await idle(1)
    take().end({ kind: 'answered', status: 503 })
    expect(fleet.take('direct')).toBeUndefined()
    await event('1.1', 'gone')
  })

  it.each([
    ['a broken connection', BROKEN, 'connection_broken', 'runner_disconnected'],
    [
      'a refused one',
      { kind: 'broken', type: 'runner_connection_refused' },
      'connection_broken',
      'runner_connection_refused',
    ],
    ['the timeout', { kind: 'timed_out' }, 'timed_out', 'a request took longer than 20000 ms'],
  ] as const)(
    'with %s is shut down and replaced, while what is in flight goes on',
    async (_, outcome, reason, detail) => {
      const { fleet, idle, take, event, moves, names } = await fleetUnderTest('listen')
      await idle(1)
      const [other, ill] = [take(), take('queued')]
      ill.end(outcome)
      expect(fleet.take('direct')).toBeUndefined()
      expect(await event('1.1', 'draining')).toMatchObject({ reason, detail })
      await event('1.2', 'idle')
      expect(moves('1.1')).toBe('starting idle running draining')
      expect(names()).toEqual(['1.1', '1.2'])
      other.end(OK)
      expect(moves('1.1')).toBe('starting idle running draining terminating')
      await event('1.1', 'gone')
      expect(names()).toEqual(['1.2'])
    },
  )

  it('with the timeout waits for the others no longer than one request may take', async () => {
    const { idle, take, event, clock, moves } = await fleetUnderTest('listen')
    await idle(1)
    const [other, ill] = [take(), take()]
    ill.end({ kind: 'timed_out' })
    clock.jump(19_000)
    await event('1.2', 'idle')
    expect(moves('1.1')).toBe('starting idle running draining')
    clock.jump(1_000)
    await event('1.1', 'gone')
    other.end(BROKEN)
  })

  it('503 while it drains is told to end when that has been answered', async () => {
    const { idle, take, moves } = await fleetUnderTest('listen')
    await idle(1)
    const [other, next, ill] = [take(), take(), take()]
    ill.end({ kind: 'timed_out' })
    next.head(503)
    expect(moves('1.1')).toBe('starting idle running draining')
    next.end({ kind: 'answered', status: 503 })
    expect(moves('1.1')).toBe('starting idle running draining terminating')
    other.end(BROKEN)
  })

  it('503 while it drains is told to end one second later when that answer goes on', async () => {
    const { idle, take, event, clock } = await fleetUnderTest('listen')
    await idle(1)
    const [next, ill] = [take(), take()]
    ill.end({ kind: 'timed_out' })
    next.head(503)
    clock.jump(1_000)
    await event('1.1', 'gone')
    next.end(BROKEN)
  })

  it('503, and another with a break just before it, is judged once', async () => {
    const { idle, take, fleet, clock, guards, event } = await fleetUnderTest('listen')
    await idle(1)
    const [broken, ill] = [take(), take()]
    broken.end(BROKEN)
    ill.head(503)
    clock.jump(500)
    await event('1.1', 'draining')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(fleet.snapshot().guard.ended).toBe(1)
    expect(guards).toEqual([])
    ill.end({ kind: 'answered', status: 503 })
  })

  it('because its process died is no ending that the guard counts', async () => {
    const { idle, take, event, fleet, runner } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    const lease = take()
    process.kill(lease.runner.pid, 'SIGKILL')
    lease.end(BROKEN)
    const { from, reason, detail } = await event(lease.runner.name, 'gone')
    expect({ from, reason, detail }).toEqual({ from: 'idle', reason: 'exited', detail: 'SIGKILL' })
    expect(fleet.snapshot().guard.ended).toBe(0)
    expect(runner(lease.runner.name)).toBeUndefined()
  })

  it('with a break, and dies before it is told to, is not counted either', async () => {
    const { idle, take, event, fleet } = await fleetUnderTest('listen')
    await idle(1)
    const [other, ill] = [take(), take()]
    ill.end(BROKEN)
    await event('1.1', 'draining')
    expect(fleet.snapshot().guard.ended).toBe(1)
    process.kill(other.runner.pid, 'SIGKILL')
    await event('1.1', 'gone')
    expect(fleet.snapshot().guard.ended).toBe(0)
    other.end(BROKEN)
  })
})

describe('when all are ill', () => {
  it('one of three is ended, the others serve when no other is free, and a good answer frees', async () => {
    const { fleet, idle, take, takeFrom, event, guards, names, runner } = await fleetUnderTest('listen', {
      runners: 3,
      directConcurrency: 1,
    })
    await idle(3)
    const leases = [take(), take(), take()]
    for (const lease of leases) {
      lease.head(503)
      lease.end({ kind: 'answered', status: 503 })
    }
    expect(guards.map(({ name }) => name)).toEqual(['2.1', '3.1'])
    await event('1.2', 'idle')
    await event('1.1', 'gone')
    expect(new Set(names())).toEqual(new Set(['1.2', '2.1', '3.1']))
    expect(['1.2', '2.1', '3.1'].map((name) => runner(name)?.isHeld)).toEqual([false, true, true])
    // the one that is not held comes first, whoever's turn it is
    for (let turn = 0; turn < 4; turn += 1) {
      const lease = take()
      expect(lease.runner.name).toBe('1.2')
      lease.end({ kind: 'answered', status: 500 })
    }
    const first = take()
    expect([take(), take()].map(({ runner: { name } }) => name).sort()).toEqual(['2.1', '3.1'])
    expect(fleet.take('direct')).toBeUndefined()
    first.end(OK)
    expect(fleet.snapshot().guard.ended).toBe(0)
    // with room nobody is held: what they could not reach may be back, and their next answers tell
    expect(['2.1', '3.1'].map((name) => runner(name)?.isHeld)).toEqual([false, false])
    expect(takeFrom('1.2').runner.name).toBe('1.2')
  })

  it('the answer of a held one below 500 sets it free', async () => {
    const { idle, take, takeFrom, event, runner } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    takeFrom('1.1').end({ kind: 'answered', status: 503 })
    takeFrom('2.1').end({ kind: 'answered', status: 503 })
    expect(runner('2.1')?.isHeld).toBe(true)
    take().end({ kind: 'answered', status: 404 })
    expect(runner('2.1')?.isHeld).toBe(false)
    await event('1.2', 'idle')
  })

  it('one that is held for a timeout is ended when there is room, with its replacement', async () => {
    const { idle, takeFrom, event, clock, moves } = await fleetUnderTest('listen', { runners: 2 })
    await idle(2)
    takeFrom('1.1').end({ kind: 'timed_out' })
    takeFrom('2.1').end({ kind: 'timed_out' })
    await event('1.2', 'idle')
    expect(moves('2.1')).toBe('starting idle running idle')
    clock.jump(300_000)
    expect((await event('2.1', 'gone')).reason).toBe('timed_out')
    await event('2.2', 'idle')
  })

  it('and breaking, a held one is given nothing while it may be dying, and then again', async () => {
    const { fleet, idle, takeFrom, event, runner } = await fleetUnderTest('listen', { runners: 1 })
    await idle(1)
    takeFrom('1.1').end({ kind: 'timed_out' })
    await event('1.2', 'idle')
    let rooms = 0
    fleet.onRoom(() => {
      rooms += 1
    })
    takeFrom('1.2').end(BROKEN)
    expect(fleet.take('direct')).toBeUndefined()
    expect(rooms).toBe(0)
    await until(() => runner('1.2')?.isHeld)
    expect(rooms).toBe(1)
    takeFrom('1.2').end(OK)
  })
})
