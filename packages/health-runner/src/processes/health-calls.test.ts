import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { jumpingClock, until } from 'health-testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fleetUnderTest } from '../testing/fleet-under-test.ts'
import { startHealthCalls } from './health-calls.ts'

const CHECK = { path: '/health', intervalMs: 15_000, timeoutMs: 5_000, graceMs: 30_000, failures: 3 }

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** An endpoint whose next answers a test decides, and who is asked only when time jumps. */
async function callsUnderTest(graceMs = 0) {
  const clock = jumpingClock()
  const asked: string[] = []
  const found: string[] = []
  const next = { status: 200, hangs: false, breaks: false }
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (next.breaks) request.socket.destroy()
    else if (next.hangs) response.writeHead(200).write('half an answer')
    else response.writeHead(next.status).end('answer')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = startHealthCalls(
    { ...CHECK, graceMs },
    {
      port,
      clock,
      onGood: () => found.push('good'),
      onFailing: (detail) => found.push(detail),
      onUnasked: (detail) => found.push(`unasked: ${detail}`),
    },
  )
  ends.push(
    stop,
    () => server.close(),
    () => server.closeAllConnections(),
  )
  /** Moves time to the next call, once the last one has been judged: its timer is set then. */
  const jumpToNext = async (): Promise<void> => {
    await until(() => clock.waits.includes(CHECK.intervalMs))
    clock.jump(CHECK.intervalMs)
  }
  /** One more call, and its outcome. */
  const ask = async (outcome: Partial<typeof next>): Promise<void> => {
    const count = asked.length + 1
    Object.assign(next, { status: 200, hangs: false, breaks: false, ...outcome })
    await jumpToNext()
    await until(() => asked.length === count)
    if (next.hangs) clock.jump(CHECK.timeoutMs)
    await until(() => clock.waits.includes(CHECK.intervalMs))
  }
  return { clock, asked, found, ask, jumpToNext, stop }
}

describe('health checks', () => {
  it.each([200, 204, 302, 399])('take %i for good', async (status) => {
    const { ask, found, asked } = await callsUnderTest()
    await ask({ status })
    expect(found).toEqual(['good'])
    expect(asked).toEqual(['GET /health'])
  })

  it.each([
    [{ status: 400 }, 'status 400'],
    [{ status: 404 }, 'status 404'],
    [{ status: 500 }, 'status 500'],
    [{ hangs: true }, 'no answer within 5000 ms'],
    [{ breaks: true }, 'socket hang up'],
  ])('that three times in a row come to %j say so, and begin to count anew', async (outcome, fault) => {
    const { ask, found } = await callsUnderTest()
    const words = `3 health checks in a row failed, the last with: ${fault}`
    for (let time = 1; time <= 5; time += 1) await ask(outcome)
    expect(found).toEqual([words])
    await ask(outcome)
    expect(found).toEqual([words, words])
  })

  it('begin to count anew with one good answer', async () => {
    const { ask, found } = await callsUnderTest()
    for (const status of [500, 500, 200, 500, 500]) await ask({ status })
    expect(found).toEqual(['good'])
  })

  it('do not count failures within the grace', async () => {
    const { ask, found, clock } = await callsUnderTest(10_000_000)
    for (let time = 1; time <= 4; time += 1) await ask({ status: 500 })
    expect(found).toEqual([])
    clock.jump(10_000_000)
    for (let time = 1; time <= 4; time += 1) await ask({ status: 500 })
    expect(found).toHaveLength(1)
  })

  it('take it for no failure that they could not even ask: this process had run out of something', async () => {
    const { jumpToNext, ask, found } = await callsUnderTest()
    await ask({ status: 500 })
    await ask({ status: 500 })
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
      Object.assign(this, { connecting: true })
      setImmediate(() => this.destroy(error))
      return this
    })
    try {
      for (const count of [1, 2]) {
        await jumpToNext()
        await until(() => found.length === count)
      }
    } finally {
      connect.mockRestore()
    }
    expect(found).toEqual(['unasked: connect EMFILE', 'unasked: connect EMFILE'])
    // neither a failure nor a good answer: the two before still count
    await ask({ status: 500 })
    expect(found[2]).toBe('3 health checks in a row failed, the last with: status 500')
  })

  it('wait for the interval, and end when they are told to', async () => {
    const { clock, asked, ask, stop } = await callsUnderTest()
    clock.jump(14_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toEqual([])
    await ask({})
    stop()
    clock.jump(1_000_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toHaveLength(1)
  })
})

describe('a runner whose health checks fail', () => {
  const healthCheck = { path: '/health', intervalMs: 10, timeoutMs: 5_000, graceMs: 0, failures: 3 }

  it('is shut down and replaced; the next one is held, and free when they are good again', async () => {
    const { idle, take, put, remove, event, runner, guards, moves } = await fleetUnderTest('listen', {
      healthCheck,
    })
    await idle(1)
    const lease = take()
    put('status')
    const { reason, detail } = await event('1.1', 'draining')
    expect(reason).toBe('health_check_failed')
    expect(detail).toBe('3 health checks in a row failed, the last with: status 500')
    lease.end({ kind: 'inconclusive' })
    await event('1.1', 'gone')
    await until(() => runner('1.2')?.isHeld)
    remove('status')
    await until(() => runner('1.2')?.isHeld === false)
    expect(guards).toEqual([{ name: '1.2', reason: 'health_check_failed', ended: 1, allowed: 1 }])
    expect(moves('1.2')).toBe('starting idle')
  })

  it('no longer, stays held for a 503 that a request has shown', async () => {
    const { fleet, idle, take, runner, notes } = await fleetUnderTest('listen', { healthCheck, runners: 1 })
    await idle(1)
    take().end({ kind: 'answered', status: 503 })
    await until(() => runner('1.2')?.state === 'idle')
    take().end({ kind: 'answered', status: 503 })
    const calls = notes('requests').length
    await until(() => notes('requests').filter((line) => line === '1.2 /health').length > calls + 2)
    expect(runner('1.2')?.isHeld).toBe(true)
    expect(fleet.snapshot().guard.ended).toBe(1)
  })

  it('not, is alive: held for a timeout it is free with the next one, and not ended when there is room', async () => {
    const { fleet, idle, take, runner, guards, moves, clock } = await fleetUnderTest('listen', {
      healthCheck,
      runners: 1,
    })
    await idle(1)
    take().end({ kind: 'timed_out' })
    await until(() => runner('1.2')?.state === 'idle')
    take().end({ kind: 'timed_out' })
    expect(guards).toEqual([{ name: '1.2', reason: 'timed_out', ended: 1, allowed: 1 }])
    await until(() => runner('1.2')?.isHeld === false)
    expect(fleet.snapshot().guard.ended).toBe(1)
    clock.jump(300_000)
    expect(fleet.snapshot().guard.ended).toBe(0)
    expect(moves('1.2')).toBe('starting idle running idle')
  })

  it('because it was stopped by SIGSTOP is killed and replaced', async () => {
    const { idle, event, take } = await fleetUnderTest('listen', {
      healthCheck: { ...healthCheck, timeoutMs: 50 },
      killAfterMs: 200,
    })
    await idle(1)
    process.kill(take().runner.pid, 'SIGSTOP')
    expect((await event('1.1', 'draining')).detail).toContain('no answer within 50 ms')
    await event('1.2', 'idle')
  })
})
