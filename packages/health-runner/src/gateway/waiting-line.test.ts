import type { ServerResponse } from 'node:http'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { gatewayInFrontOf, httpRunner, tidy, type UnderTestOptions } from '../testing/gateway-under-test.ts'
import { handFleet } from '../testing/hand-fleet.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import { createWaitingLine } from './waiting-line.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const lined = ({ max = 3, timeoutMs = 1_000 } = {}) => {
  const clock = manualClock()
  const fleet = handFleet()
  const line = createWaitingLine(fleet, { max, timeoutMs }, clock)
  const told: string[] = []
  const leases = new Map<string, Lease>()
  const enter = (who: string) =>
    line.enter({
      granted: (lease) => {
        told.push(`${who} granted`)
        leases.set(who, lease)
      },
      refused: (why) => told.push(`${who} ${why}`),
    })
  const end = (who: string): void => leases.get(who)?.end({ kind: 'answered', status: 200 })
  return { clock, fleet, line, told, enter, end }
}

describe('the waiting line', () => {
  it('gives a free runner at once', () => {
    const { fleet, line, told, enter } = lined()
    fleet.add('1.1', 1, 1)
    enter('a')
    expect(told).toEqual(['a granted'])
    expect(line.size).toBe(0)
  })

  it('serves those who came first first, each when there is room', () => {
    const { fleet, told, enter, end } = lined()
    fleet.add('1.1', 1, 1)
    for (const who of ['a', 'b', 'c']) enter(who)
    expect(told).toEqual(['a granted'])
    end('a')
    expect(told).toEqual(['a granted', 'b granted'])
    end('b')
    expect(told.at(-1)).toBe('c granted')
  })

  it('refuses nobody for whom there is room by the time that it looks', async () => {
    const manual = manualClock()
    const fleet = handFleet()
    // this process stood still: what a runner said meanwhile is read behind the timer
    const after = (ms: number, fire: () => void) =>
      manual.after(ms, () => {
        setImmediate(() => fleet.add('1.1', 1, 1))
        fire()
      })
    const line = createWaitingLine(fleet, { max: 3, timeoutMs: 1_000 }, { ...manual, after })
    const told: string[] = []
    line.enter({ granted: () => told.push('granted'), refused: (why) => told.push(why) })
    await manual.advance(1_000)
    expect(told).toEqual(['granted'])
    expect(manual.pending).toBe(0)
  })

  it('lets several go when a runner has room for several', () => {
    const { fleet, line, told, enter } = lined()
    for (const who of ['a', 'b', 'c']) enter(who)
    expect(line.size).toBe(3)
    fleet.add('1.1', 1, 2)
    expect(told).toEqual(['a granted', 'b granted'])
    expect(line.size).toBe(1)
  })

  it('keeps its order when those who are served are done at once', () => {
    const { fleet, line, told, enter } = lined({ max: 10 })
    for (const who of ['a', 'b', 'c', 'd']) {
      line.enter({
        granted: (lease) => {
          told.push(who)
          lease.end({ kind: 'answered', status: 200 })
          told.push(`${who} done`)
        },
        refused: () => undefined,
      })
    }
    enter('e')
    fleet.add('1.1', 1, 1)
    expect(told).toEqual(['a', 'a done', 'b', 'b done', 'c', 'c done', 'd', 'd done', 'e granted'])
  })

  it('lets nobody in before those who wait, not even one who comes while they are served', () => {
    const { fleet, line, told, enter } = lined()
    line.enter({
      granted: () => {
        told.push('a granted')
        enter('late')
      },
      refused: () => undefined,
    })
    enter('b')
    fleet.add('1.1', 1, 3)
    expect(told).toEqual(['a granted', 'b granted', 'late granted'])
  })

  it('refuses one more than it holds at once, and holds none where it may hold none', () => {
    const { told, enter } = lined({ max: 2 })
    for (const who of ['a', 'b', 'c']) enter(who)
    expect(told).toEqual(['c full'])
    const none = lined({ max: 0 })
    none.enter('a')
    expect(none.told).toEqual(['a full'])
  })

  it('refuses after its time, and says whether any runner is ready', async () => {
    const { clock, fleet, line, told, enter } = lined()
    enter('a')
    await clock.advance(500)
    enter('b')
    await clock.advance(499)
    expect(told).toEqual([])
    await clock.advance(1)
    fleet.isReady = false
    await clock.advance(500)
    expect(told).toEqual(['a all_busy', 'b none_ready'])
    expect(line.size).toBe(0)
    fleet.add('1.1', 1)
    expect(told).toHaveLength(2)
  })

  it('forgets one who leaves, and its place is free', async () => {
    const { clock, fleet, told, enter } = lined({ max: 2 })
    enter('a')
    const leave = enter('b')
    leave()
    enter('c')
    fleet.add('1.1', 1, 2)
    expect(told).toEqual(['a granted', 'c granted'])
    leave()
    await clock.advance(5_000)
    expect(told).toHaveLength(2)
    expect(clock.pending).toBe(0)
  })

  it('refuses everybody once it is closed, and asks the fleet no more', () => {
    const { clock, fleet, line, told, enter } = lined()
    enter('a')
    enter('b')
    expect(fleet.told).toBe(1)
    line.close()
    expect(fleet.told).toBe(0)
    enter('c')
    fleet.add('1.1', 1)
    enter('d')
    expect(told).toEqual(['a closing', 'b closing', 'c closing', 'd closing'])
    expect(clock.pending).toBe(0)
    expect(fleet.given).toEqual([])
  })
})

describe('behind the gateway', () => {
  const held = async (options: UnderTestOptions) => {
    const clock = manualClock()
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const under = await gatewayInFrontOf(tidied, [port], { clock, most: 1, ...options })
    return { clock, responses, under }
  }
  const refusals = [
    ['all are busy', true, 503, 'runner_scheduling_failure'],
    ['none is ready', false, 504, 'startup_timeout'],
  ] as const

  it.each(refusals)('a request that waited in vain while %s gets %s %d', async (_, isReady, status, type) => {
    const { clock, under } = await held({ most: 0, waitingLine: { max: 1, timeoutMs: 1_000 } })
    under.fleet.isReady = isReady
    const asked = rawRequest({ port: under.port })
    await until(() => under.gateway.waiting === 1)
    await clock.advance(1_000)
    const answer = await asked
    expect(answer.status).toBe(status)
    expect(answer.header('x-baldur-error-type')).toBe(type)
    expect(JSON.parse(answer.body).error_type).toBe(type)
    expect(answer.header('retry-after')).toBe('1')
    expect(under.fleet.given).toEqual([])
  })

  it('one more than the line holds is shed at once, with its body unread', async () => {
    const said: string[] = []
    const ignore = (): void => undefined
    const logger = {
      debug: ignore,
      info: ignore,
      warn: (line: string) => void said.push(line),
      error: ignore,
    }
    const { responses, under } = await held({ waitingLine: { max: 1, timeoutMs: 60_000 }, logger })
    const first = rawRequest({ port: under.port, path: '/1' })
    await until(() => responses.length === 1)
    const second = rawRequest({ port: under.port, path: '/2' })
    await until(() => under.gateway.waiting === 1)
    expect(said).toEqual([])
    const third = await rawConnection({ port: under.port })
    third.send('POST /3 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n')
    const answer = await third.read()
    expect(answer).toMatchObject({ status: 503, informational: [] })
    // whether its body comes nobody knows
    expect(answer.header('connection')).toBe('close')
    expect(answer.header('x-baldur-error-type')).toBe('runner_scheduling_failure')
    expect(answer.header('retry-after')).toBe('1')
    expect(said).toEqual(['gateway: a request was refused: 503, too many wait for a runner'])
    responses[0]?.end('one')
    expect((await first).body).toBe('one')
    await until(() => responses.length === 2)
    expect(responses[1]?.req.url).toBe('/2')
    responses[1]?.end('two')
    expect((await second).body).toBe('two')
    third.close()
  })

  it('those in line are refused when the gateway closes', async () => {
    const { under } = await held({ most: 0 })
    const asked = rawRequest({ port: under.port })
    await until(() => under.gateway.waiting === 1)
    under.gateway.close()
    const answer = await asked
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('1')
  })
})
