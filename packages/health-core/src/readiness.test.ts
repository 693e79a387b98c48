import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'

describe('the readiness budget', () => {
  test('answers timed_out at the budget, also on the very first probe', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    const probe = ask('/ready')
    await clock.advance(499)
    expect(probe.settled).toBeUndefined()
    await clock.advance(1)
    expect(probe.settled).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { database_default: 'timed_out' } },
    })
  })

  test('a caller who joins a round late is answered with it, not after a budget of its own', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    ask('/ready')
    await clock.advance(400)
    const late = ask('/ready')
    await clock.advance(100)
    expect(late.settled?.status).toBe(503)
  })

  test('one stalled database does not hide the other', async () => {
    const stalled = scriptedCheck('x')
    stalled.behave('hang')
    const { get } = healthUnderTest({ databases: { default: scriptedCheck('y'), replica: stalled } })
    expect(await get('/ready', 500)).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'ready', database_replica: 'timed_out' } },
    })
  })
})

describe('the readiness cache', () => {
  test('1 000 concurrent requests make one run, and 1 000 more within the TTL none', async () => {
    const database = scriptedCheck('x')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    const probes = Array.from({ length: 1_000 }, () => ask('/ready'))
    await clock.advance(0)
    expect(probes.every(({ settled }) => settled?.status === 200)).toBe(true)
    for (let i = 0; i < 1_000; i++) expect(ask('/ready').settled?.status).toBe(200)
    expect(database.runs).toBe(1)
  })

  test('a failure is cached like a success', async () => {
    const database = scriptedCheck('x')
    database.behave(() => Promise.reject(new Error('no')))
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    expect((await get('/ready')).status).toBe(503)
    await clock.advance(4_999)
    expect((await get('/ready')).status).toBe(503)
    expect(database.runs).toBe(1)
    await clock.advance(1)
    expect((await get('/ready')).status).toBe(503)
    expect(database.runs).toBe(2)
  })

  test('counts from the end of the round', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { ask, get, clock } = healthUnderTest({ databases: { default: database } })
    ask('/ready')
    await clock.advance(300)
    database.succeed()
    await clock.advance(4_999)
    expect((await get('/ready')).status).toBe(200)
    expect(database.runs).toBe(1)
    await clock.advance(1)
    ask('/ready')
    expect(database.runs).toBe(2)
  })

  test('a TTL of 0 turns it off, and keeps the single flight', async () => {
    const database = scriptedCheck('x')
    const { ask, get, clock } = healthUnderTest({
      databases: { default: database },
      readiness: { cacheTtlMs: 0 },
    })
    await get('/ready')
    await get('/ready')
    expect(database.runs).toBe(2)
    database.behave('hang')
    for (let i = 0; i < 200; i++) ask('/ready')
    await clock.advance(500)
    for (let i = 0; i < 200; i++) ask('/ready')
    await clock.advance(500)
    expect(database.runs).toBe(3)
    expect(database.most).toBe(1)
  })

  test('the last good answer is not served beyond its TTL when the check hangs afterwards', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    expect((await get('/ready')).status).toBe(200)
    database.behave('hang')
    await clock.advance(5_000)
    expect(await get('/ready', 500)).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'timed_out' } },
    })
    await clock.advance(1_500)
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
  })

  test('a run that another endpoint began counts here too', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/ready')
    await clock.advance(3_000)
    database.behave(() => Promise.reject(new Error('gone')))
    expect((await get('/pool')).status).toBe(503)
    expect((await get('/ready')).status).toBe(503)
    expect(database.runs).toBe(2)
  })

  test('a result that would be too old at the end of a round does not ride along with it', async () => {
    const database = scriptedCheck('x')
    const slow = scriptedCheck('slow')
    slow.behave('hang')
    const { get, clock } = healthUnderTest({
      databases: { default: database },
      checks: [slow],
      readiness: { cacheTtlMs: 1_000, budgetMs: 2_000, timeoutFailDirection: 'ready' },
    })
    await get('/pool')
    database.behave(() => false)
    await clock.advance(900)
    expect((await get('/ready', 2_000)).body.checks).toMatchObject({ database_default: 'not_ready' })
  })

  test('a run that another endpoint begins after ours has ended does not make ours timed_out', async () => {
    const [a, b] = [scriptedCheck('a'), scriptedCheck('b')]
    const { ask, clock } = healthUnderTest({ checks: [a, b] })
    a.behave(() => new Promise<void>((resolve) => clock.after(60, resolve)))
    b.behave(() => new Promise<void>((resolve) => clock.after(200, resolve)))
    const first = ask('/ready')
    await clock.advance(150)
    ask('?nocache=true')
    await clock.advance(50)
    expect(first.settled).toMatchObject({ status: 200, body: { checks: { a: 'ready', b: 'ready' } } })
  })

  test('a run that another endpoint has under way does not disturb a fresh answer', async () => {
    const database = scriptedCheck('x')
    const { ask, get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/ready')
    await clock.advance(2_000)
    database.behave('hang')
    ask('/pool')
    await clock.advance(600)
    expect((await get('/ready')).status).toBe(200)
  })
})

describe('a run that outlives the budget', () => {
  test('a late success within its timeout replaces timed_out at once, its TTL counted from its own end', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { ask, get, clock } = healthUnderTest({ databases: { default: database } })
    expect((await get('/ready', 500)).status).toBe(503)
    await clock.advance(300)
    database.succeed()
    await clock.advance(0)
    expect((await get('/ready')).status).toBe(200)
    // the round ended at 0.5 s, the run at 0.8 s: fresh until 5.8 s (kept warm from then on, so look at the rate below)
    expect(ask('/ready').settled?.status).toBe(200)
  })

  test('a late refusal replaces timed_out too, so that the fail direction cannot hide it', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({
      databases: { default: database },
      readiness: { timeoutFailDirection: 'ready' },
    })
    await get('/ready')
    database.behave('hang')
    await clock.advance(5_000)
    expect(await get('/ready', 500)).toMatchObject({
      status: 200,
      body: { checks: { database_default: 'timed_out' } },
    })
    database.fail(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    await clock.advance(0)
    expect(await get('/ready')).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'not_ready' } },
    })
  })

  test.each([1_000, 3_000, 10_000])(
    'a database that steadily takes 0.8 s reads ready in every poll once it was, polled every %i ms',
    async (periodMs) => {
      const database = scriptedCheck('x')
      const { ask, clock } = healthUnderTest({ databases: { default: database } })
      database.behave(() => new Promise<void>((resolve) => clock.after(800, resolve)))
      ask('/ready')
      await clock.advance(periodMs)
      const began = database.runs
      for (let poll = 0; poll < 60; poll++) {
        const probe = ask('/ready')
        await clock.advance(500)
        expect(probe.settled?.status, `poll ${poll}`).toBe(200)
        await clock.advance(periodMs - 500)
      }
      expect(database.most).toBe(1)
      // at most one run in 0.8 times the TTL and the run's own time
      expect(database.runs - began).toBeLessThanOrEqual(Math.ceil((60 * periodMs) / 4_000))
    },
  )

  test('nobody asks: a slow database is left alone after a minute', async () => {
    const database = scriptedCheck('x')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    database.behave(() => new Promise<void>((resolve) => clock.after(800, resolve)))
    ask('/ready')
    await clock.advance(70_000)
    const runs = database.runs
    await clock.advance(600_000)
    expect(database.runs).toBe(runs)
    expect(clock.pending).toBe(0)
  })

  test('a fast database is never run ahead of a probe', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/ready')
    await clock.advance(600_000)
    expect(database.runs).toBe(1)
    expect(clock.pending).toBe(0)
  })
})

test('a busy event loop is not taken for a stalled database: an answer that has arrived by the deadline is read first', async () => {
  // the other side must not share the loop that is busy
  const server = new Worker(
    `const server = require('node:net').createServer((socket) => socket.pipe(socket))
     server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const port = await new Promise<number>((resolve) => server.once('message', resolve))
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await new Promise((resolve) => socket.once('connect', resolve))
  const echo = {
    name: 'echo',
    run: () =>
      new Promise<void>((resolve) => {
        socket.once('data', () => resolve())
        socket.write('x')
      }),
  }
  const health = createHealth({ env: {}, checks: [echo], readiness: { budgetMs: 50, cacheTtlMs: 0 } })
  for (let round = 0; round < 5; round++) {
    const asked = health.readiness()
    // let the question go out and the answer come in, without reading it
    await new Promise((resolve) => setImmediate(resolve))
    const end = performance.now() + 80
    while (performance.now() < end);
    expect((await asked).status).toBe('ready')
  }
  socket.destroy()
  await server.terminate()
})

describe('the fail direction', () => {
  const options = { readiness: { timeoutFailDirection: 'ready' as const } }

  test('ready keeps 200 while a check that was usable stalls, and says timed_out', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database }, ...options })
    await get('/ready')
    database.behave('hang')
    await clock.advance(5_000)
    expect(await get('/ready', 500)).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { database_default: 'timed_out' } },
    })
  })

  test('ready does not hold for a check that was never usable', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { get } = healthUnderTest({ databases: { default: database }, ...options })
    expect(await get('/ready', 500)).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'timed_out' } },
    })
  })

  test('ready does not cover a refusal', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database }, ...options })
    await get('/ready')
    database.behave(() => false)
    await clock.advance(5_000)
    expect(await get('/ready')).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'not_ready' } },
    })
  })
})

describe('fall and rise', () => {
  test('count runs, not polls: 503 at the third failure, 200 at the second success', async () => {
    const database = scriptedCheck('x', { fall: 3, rise: 2 })
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    const runs: readonly [good: boolean, status: number][] = [
      [true, 200],
      [false, 200],
      [true, 200],
      [false, 200],
      [false, 200],
      [false, 503],
      [true, 503],
      [false, 503],
      [true, 503],
      [true, 200],
    ]
    for (const [index, [good, status]] of runs.entries()) {
      database.behave(() => good)
      await clock.advance(5_000)
      for (let poll = 0; poll < 50; poll++) expect((await get('/ready')).status, `run ${index}`).toBe(status)
    }
    expect(database.runs).toBe(runs.length)
  })

  test('a run that never settles does not hide behind fall for ever', async () => {
    const database = scriptedCheck('x', { fall: 3 })
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/ready')
    database.behave('hang')
    await clock.advance(5_000)
    expect((await get('/ready', 500)).status).toBe(200)
    await clock.advance(5_500)
    expect(await get('/ready')).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'timed_out' } },
    })
    expect(database.most).toBe(1)
  })
})

describe('a minimum interval', () => {
  test('is kept whatever the probe rate and whichever endpoint asks', async () => {
    const database = scriptedCheck('x', { minIntervalMs: 600_000 })
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    for (let minute = 0; minute < 30; minute++) {
      await get('/ready')
      await get('/pool')
      await get('?nocache=true')
      await clock.advance(60_000)
    }
    expect(database.runs).toBe(3)
    expect((await get('/ready')).status).toBe(200)
  })
})

test('a non-critical check is kept out of readiness', async () => {
  const { get } = healthUnderTest({ checks: [scriptedCheck('mail', { critical: false })] })
  expect((await get('/ready')).body).toEqual({ status: 'ready', checks: {} })
})
