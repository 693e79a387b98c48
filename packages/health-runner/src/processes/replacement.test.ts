import { isAlive, until } from 'health-testkit'
import { describe, expect, it } from 'vitest'
import { type FleetUnderTest, fleetUnderTest } from '../testing/fleet-under-test.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

const OK: RequestOutcome = { kind: 'answered', status: 200 }

/** Where an event stands among all. */
const order = ({ events }: FleetUnderTest, name: string, to: string): number =>
  events.findIndex((event) => event.name === name && event.to === to)

describe('with start_first', () => {
  it('the next process is started with the SIGTERM of one that answered 503', async () => {
    const fleet = await fleetUnderTest('slow')
    await fleet.idle(1)
    fleet.take().end({ kind: 'answered', status: 503 })
    await fleet.event('1.1', 'gone')
    expect(order(fleet, '1.2', 'starting')).toBeGreaterThan(order(fleet, '1.1', 'terminating'))
    expect(order(fleet, '1.2', 'starting')).toBeLessThan(order(fleet, '1.1', 'gone'))
  })

  it('the next process is started with the draining of one that timed out', async () => {
    const fleet = await fleetUnderTest('listen')
    await fleet.idle(1)
    const [other, ill] = [fleet.take(), fleet.take()]
    ill.end({ kind: 'timed_out' })
    await fleet.event('1.2', 'starting')
    expect(fleet.moves('1.1')).toBe('starting idle running draining')
    other.end(OK)
  })

  it('the next process is started at once when one dies that has served', async () => {
    const fleet = await fleetUnderTest('listen')
    await fleet.idle(1)
    const lease = fleet.take()
    lease.end(OK)
    process.kill(lease.runner.pid, 'SIGKILL')
    await fleet.event('1.2', 'idle')
    expect(fleet.moves('1.2')).toBe('starting idle')
  })
})

describe('with stop_first', () => {
  it('the next process is started when the one that answered 503 is gone', async () => {
    const fleet = await fleetUnderTest('slow', { replace: 'stop_first' })
    await fleet.idle(1)
    fleet.take().end({ kind: 'answered', status: 503 })
    await fleet.event('1.2', 'starting')
    expect(order(fleet, '1.2', 'starting')).toBeGreaterThan(order(fleet, '1.1', 'gone'))
  })

  it('the next process is started when the one that timed out has finished and is gone', async () => {
    const fleet = await fleetUnderTest('listen', { replace: 'stop_first' })
    await fleet.idle(1)
    const [other, ill] = [fleet.take(), fleet.take()]
    ill.end({ kind: 'timed_out' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(fleet.names()).toEqual(['1.1'])
    other.end(OK)
    await fleet.event('1.2', 'idle')
    expect(order(fleet, '1.2', 'starting')).toBeGreaterThan(order(fleet, '1.1', 'gone'))
  })

  it('a crash waits for its backoff from the end of the whole group on', async () => {
    const fleet = await fleetUnderTest('pair', { replace: 'stop_first', killAfterMs: 200 })
    await fleet.idle(1)
    process.kill(fleet.runner('1.1')?.pid ?? 0, 'SIGKILL')
    await fleet.event('1.2', 'crash_backoff')
    expect(fleet.moves('1.1')).toBe('starting idle terminating gone')
    expect(order(fleet, '1.2', 'crash_backoff')).toBeGreaterThan(order(fleet, '1.1', 'gone'))
  })
})

describe('a crash loop', () => {
  it('backs off twice as long each time, and no more once a request has been served', async () => {
    const fleet = await fleetUnderTest('flaky')
    const waits: (string | undefined)[] = []
    for (let number = 2; number <= 8; number += 1) {
      waits.push((await fleet.event(`1.${number}`, 'crash_backoff')).detail)
      if (number === 8) fleet.put('go')
      fleet.clock.jump(30_000)
      await fleet.event(`1.${number}`, 'starting')
    }
    const ms = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
    expect(waits).toEqual(ms.map((wait) => `it is started in ${wait} ms`))
    await fleet.idle(1)

    const lease = fleet.take()
    lease.end({ kind: 'answered', status: 404 })
    fleet.remove('go')
    process.kill(lease.runner.pid, 'SIGKILL')
    // at once after one that has served, and then from the start again
    await fleet.event('1.9', 'gone')
    expect(fleet.moves('1.9')).toBe('starting gone')
    expect((await fleet.event('1.10', 'crash_backoff')).detail).toBe('it is started in 1000 ms')
  })

  it('is none when the answer of the dead process was still on its way', async () => {
    const fleet = await fleetUnderTest('flaky')
    for (let number = 2; number <= 6; number += 1) {
      await fleet.event(`1.${number}`, 'crash_backoff')
      if (number === 6) fleet.put('go')
      fleet.clock.jump(30_000)
      await fleet.event(`1.${number}`, 'starting')
    }
    await fleet.idle(1)
    const lease = fleet.take()
    fleet.remove('go')
    process.kill(lease.runner.pid, 'SIGKILL')
    expect((await fleet.event('1.7', 'crash_backoff')).detail).toBe('it is started in 30000 ms')
    lease.end(OK)
    // no jump any more: it does not wait, and the next one waits from the start again
    await fleet.event('1.7', 'gone')
    expect((await fleet.event('1.8', 'crash_backoff')).detail).toBe('it is started in 1000 ms')
  })

  it('leaves nothing of the one that crashed, while the others go on', async () => {
    const fleet = await fleetUnderTest('stray', { runners: 2 })
    await fleet.idle(2)
    const strays = fleet.notes('strays').map(Number)
    expect(strays.filter(isAlive)).toHaveLength(2)
    process.kill(fleet.runner('1.1')?.pid ?? 0, 'SIGKILL')
    await until(() => strays.filter(isAlive).length === 1)
    expect(fleet.runner('2.1')?.state).toBe('idle')
  })

  it('does not end by an answer that is an error', async () => {
    const fleet = await fleetUnderTest('listen')
    await fleet.idle(1)
    const lease = fleet.take()
    lease.end({ kind: 'answered', status: 500 })
    process.kill(lease.runner.pid, 'SIGKILL')
    expect((await fleet.event('1.2', 'crash_backoff')).reason).toBeUndefined()
  })

  it('does not hold up a runner that answered 503 to its first request', async () => {
    const fleet = await fleetUnderTest('listen')
    await fleet.idle(1)
    fleet.take().end({ kind: 'answered', status: 503 })
    await fleet.event('1.2', 'idle')
    expect(fleet.moves('1.2')).toBe('starting idle')
  })
})

describe('stopping', () => {
  it('kills what is deaf, and resolves when all of each group is gone', async () => {
    const fleet = await fleetUnderTest('pair', { killAfterMs: 300, runners: 2 })
    await fleet.idle(2)
    const stopped = fleet.fleet.stop()
    expect(fleet.fleet.take('direct')).toBeUndefined()
    await stopped
    expect(fleet.moves('1.1')).toBe('starting idle terminating gone')
    expect(fleet.fleet.snapshot().runners).toEqual([])
    // the mark of all of them is looked for when the test ends
  })

  it('kills what has been stopped by SIGSTOP', async () => {
    const fleet = await fleetUnderTest('listen', { killAfterMs: 200 })
    await fleet.idle(1)
    const lease = fleet.take()
    process.kill(lease.runner.pid, 'SIGSTOP')
    lease.end({ kind: 'timed_out' })
    expect((await fleet.event('1.1', 'gone')).detail).toBe('SIGKILL')
    await fleet.event('1.2', 'idle')
  })

  it('ends what starts and what waits, and starts nothing more', async () => {
    const fleet = await fleetUnderTest('never', { runners: 2 })
    await fleet.event('2.1', 'starting')
    process.kill((await fleet.event('1.1', 'starting')).pid ?? 0, 'SIGKILL')
    await fleet.event('1.2', 'crash_backoff')
    await fleet.fleet.stop()
    expect([fleet.moves('2.1'), fleet.moves('1.2')]).toEqual([
      'starting terminating gone',
      'crash_backoff gone',
    ])
    fleet.fleet.scale(5)
    expect(fleet.fleet.snapshot().runners).toEqual([])
  })

  it('at once after the start leaves nothing, and again gives the same promise', async () => {
    const fleet = await fleetUnderTest('listen', { runners: 3 })
    const stopped = fleet.fleet.stop()
    expect(fleet.fleet.stop()).toBe(stopped)
    await stopped
    await expect(fleet.fleet.start()).resolves.toBeUndefined()
    expect(fleet.fleet.snapshot().runners).toEqual([])
  })
})

describe('those who listen', () => {
  it('hear of room, also after one that throws, until they are taken off', async () => {
    const { fleet, idle, lines, take } = await fleetUnderTest('listen', { directConcurrency: 1 })
    let rooms = 0
    fleet.onRoom(() => {
      throw new Error('a bad listener')
    })
    const off = fleet.onRoom(() => {
      rooms += 1
    })
    await idle(1)
    expect(rooms).toBe(1)
    const lease = take()
    expect(fleet.take('direct')).toBeUndefined()
    lease.end(OK)
    expect(rooms).toBe(2)
    off()
    take().end(OK)
    expect(rooms).toBe(2)
    await until(
      () => lines.filter((line) => line.includes('a listener of onRoom threw: a bad listener')).length === 3,
    )
    // said, and not for the end of the test to find
    lines.length = 0
  })
})
