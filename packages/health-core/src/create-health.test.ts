import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { HealthEvents } from './vocabulary/event.ts'

const ALL = ['', '/live', '/ready', '/startup', '/pool', '/ping'] as const

describe('with no database and no critical check', () => {
  test('the endpoints disagree on purpose', async () => {
    const { get } = healthUnderTest()
    expect(await get('/ready')).toMatchObject({ status: 200, body: { status: 'ready', checks: {} } })
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'unhealthy', checks: {} } })
    expect(await get('/pool')).toMatchObject({
      status: 503,
      body: { status: 'degraded', error: 'NO_DATABASE: no database configured' },
    })
  })

  test('with a critical check but no database, health follows the check', async () => {
    const { get } = healthUnderTest({ checks: [scriptedCheck('disk')] })
    expect(await get('')).toMatchObject({
      status: 200,
      body: { status: 'healthy', checks: { disk: 'healthy' } },
    })
  })
})

describe('health', () => {
  test('has the fields of the contract, in their order', async () => {
    const { get } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    const { body } = await get('')
    expect(Object.keys(body)).toEqual(['status', 'checks', 'timestamp', 'baldur_enabled', '_cache'])
    expect(body).toMatchObject({ baldur_enabled: true, _cache: { hit: 'L3', age_ms: 0 } })
    expect(new Date(body.timestamp as string).toISOString()).toBe(body.timestamp)
  })

  test('is unhealthy when the default database fails, degraded when only another or a non-critical check does', async () => {
    const main = scriptedCheck('x')
    const replica = scriptedCheck('x')
    const mail = scriptedCheck('mail', { critical: false })
    const { get, clock } = healthUnderTest({ databases: { default: main, replica }, checks: [mail] })
    expect(await get('')).toMatchObject({ status: 200, body: { status: 'healthy' } })
    mail.behave(() => false)
    await clock.advance(1_000)
    expect(await get('?nocache=true')).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checks: { database: 'healthy', database_replica: 'healthy', mail: 'unhealthy' },
      },
    })
    mail.behave(() => true)
    replica.behave(() => false)
    await clock.advance(1_000)
    expect(await get('?nocache=true')).toMatchObject({ status: 200, body: { status: 'degraded' } })
    main.behave(() => false)
    await clock.advance(1_000)
    expect(await get('?nocache=true')).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', checks: { database: 'unhealthy' } },
    })
  })

  test('a cached answer tells its age, re-rendered every 100 ms', async () => {
    const { get, clock } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    await get('')
    await clock.advance(300)
    const first = await get('')
    expect(first.body._cache).toEqual({ hit: 'L1', age_ms: 300 })
    await clock.advance(99)
    expect((await get('')).response).toBe(first.response)
    await clock.advance(1)
    expect((await get('')).body._cache).toEqual({ hit: 'L1', age_ms: 400 })
  })

  test('?nocache=true computes at most once a second, says BYPASSED with its age, and refreshes the cache', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('')
    await clock.advance(500)
    expect((await get('?nocache=true')).body._cache).toEqual({ hit: 'BYPASSED', age_ms: 0 })
    expect(database.runs).toBe(2)
    await clock.advance(400)
    for (let i = 0; i < 100; i++) await get('?nocache=true')
    expect((await get('?nocache=true')).body._cache).toEqual({ hit: 'BYPASSED', age_ms: 400 })
    expect((await get('')).body._cache).toEqual({ hit: 'L1', age_ms: 400 })
    expect(database.runs).toBe(2)
    await clock.advance(600)
    await get('?nocache=true')
    expect(database.runs).toBe(3)
  })

  test('a result that would be too old at the end of a round does not ride along with it', async () => {
    const database = scriptedCheck('x')
    const mail = scriptedCheck('mail', { critical: false, timeoutMs: 10_000 })
    const { get, clock } = healthUnderTest({ databases: { default: database }, checks: [mail] })
    mail.behave(() => new Promise<void>((resolve) => clock.after(2_400, resolve)))
    await get('/pool')
    database.behave(() => Promise.reject(new Error('gone')))
    await clock.advance(14_900)
    expect(await get('', 2_500)).toMatchObject({ status: 503, body: { checks: { database: 'unhealthy' } } })
  })

  test('its age is that of the oldest result in it, also of one that may not be asked again yet', async () => {
    const slow = scriptedCheck('slow', { minIntervalMs: 600_000 })
    const { get, clock } = healthUnderTest({ databases: { default: scriptedCheck('x') }, checks: [slow] })
    await get('')
    await clock.advance(4_000)
    expect((await get('?nocache=true')).body._cache).toEqual({ hit: 'BYPASSED', age_ms: 4_000 })
  })

  test('answers within 2.5 s while the database stalls', async () => {
    const database = scriptedCheck('x', { timeoutMs: 60_000 })
    database.behave('hang')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    const [health, pool] = [ask(''), ask('/pool')]
    await clock.advance(2_499)
    expect([health.settled, pool.settled]).toEqual([undefined, undefined])
    await clock.advance(1)
    expect(health.settled).toMatchObject({ status: 503, body: { checks: { database: 'timed_out' } } })
    expect(pool.settled).toMatchObject({
      status: 503,
      body: { status: 'degraded', error: 'TIMEOUT: no answer in 2500 ms' },
    })
    expect(database.runs).toBe(1)
  })
})

describe('pool', () => {
  const gauges = { total: 3, idle: 2, waiting: 0, max: 10 }

  test('has the fields of the contract, in their order', async () => {
    const database = scriptedCheck('x', { vendor: 'postgresql', stats: () => gauges })
    const { get } = healthUnderTest({ databases: { default: database } })
    expect(JSON.stringify((await get('/pool')).body)).toBe(
      '{"status":"healthy","pool_info":{"alias":"default","vendor":"postgresql","is_usable":true,"status":"healthy","total":3,"idle":2,"waiting":0,"max":10}}',
    )
  })

  test('a check that changes its own vendor changes nothing', async () => {
    const database = { name: 'x', vendor: 'v' as unknown, run: () => true }
    const { get } = healthUnderTest({ databases: { default: database as never } })
    database.vendor = 10n
    expect((await get('/pool')).body.pool_info).toMatchObject({ vendor: 'v' })
  })

  test('an answer is at most a second old, its gauges at most 100 ms', async () => {
    let idle = 2
    const database = scriptedCheck('x', { stats: () => ({ idle }) })
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/pool')
    idle = 0
    await clock.advance(100)
    expect((await get('/pool')).body.pool_info).toMatchObject({ idle: 0 })
    await clock.advance(899)
    await get('/pool')
    expect(database.runs).toBe(1)
    await clock.advance(1)
    await get('/pool')
    expect(database.runs).toBe(2)
  })

  test('gauges that throw, or are no plain values, are left out, and none replaces a fixed field', async () => {
    const odd = {
      status: 'fine',
      is_usable: 'no',
      ok: 1,
      list: [1],
      nothing: null,
      big: 1n,
      endless: Number.NaN,
    }
    const first = healthUnderTest({
      databases: { default: scriptedCheck('x', { stats: () => odd as never }) },
    })
    expect((await first.get('/pool')).body.pool_info).toEqual({
      alias: 'default',
      vendor: 'unknown',
      is_usable: true,
      status: 'healthy',
      ok: 1,
    })
    const throwing = scriptedCheck('x', {
      stats: () => {
        throw new Error('no gauges')
      },
    })
    const second = healthUnderTest({ databases: { default: throwing } })
    expect((await second.get('/pool')).status).toBe(200)
  })

  test('the only database is the default whatever its alias', async () => {
    const { get } = healthUnderTest({ databases: { orders: scriptedCheck('x') } })
    expect((await get('/pool')).body.pool_info).toMatchObject({ alias: 'orders' })
    expect((await get('')).body.checks).toEqual({ database: 'healthy' })
    expect((await get('/ready')).body.checks).toEqual({ database_orders: 'ready' })
  })

  test("expose: 'message' adds the driver's message, masked", async () => {
    const database = scriptedCheck('x')
    database.behave(() => Promise.reject(new Error('no route to postgres://joe:hunter2@db/x')))
    const { get } = healthUnderTest({ databases: { default: database }, expose: 'message' })
    expect((await get('/pool')).body.error).toBe('ERROR: check failed (no route to postgres://***@db/x)')
  })
})

describe('setup', () => {
  test('without one an instance has started once it answers', async () => {
    const { health, get } = healthUnderTest()
    expect(health.phase).toBe('starting')
    expect(await get('/startup')).toMatchObject({ status: 200, body: { status: 'started' } })
    expect(health.phase).toBe('started')
  })

  test('pending, readiness and health read starting, liveness is 200, pool tells of the database', async () => {
    let finish: () => void = () => undefined
    const { health, get } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    const done = health.setup(() => new Promise<void>((resolve) => (finish = resolve)))
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'starting' } })
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'starting' } })
    expect(await get('/startup')).toMatchObject({ status: 503, body: { status: 'starting' } })
    expect((await get('/live')).status).toBe(200)
    expect((await get('/pool')).status).toBe(200)
    expect(await health.readiness()).toEqual({ status: 'starting', checks: {} })
    finish()
    await done
    expect(await get('/startup')).toMatchObject({ status: 200, body: { status: 'started' } })
    expect((await get('/ready')).status).toBe(200)
  })

  test('failed, it reads failed for ever, and its error goes to the caller and, masked, to the log', async () => {
    const { health, get, lines } = healthUnderTest()
    const error = new Error('migration needs password=hunter2')
    await expect(health.setup(() => Promise.reject(error))).rejects.toBe(error)
    await health.setup(() => undefined)
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'failed' } })
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'failed' } })
    expect(await get('/startup')).toMatchObject({ status: 503, body: { status: 'failed' } })
    expect((await get('/live')).status).toBe(200)
    expect(lines).toContain(
      'error: setup failed, this instance never gets ready: migration needs password=***',
    )
    expect(lines.join()).not.toContain('hunter2')
  })

  test('a failing one that nobody waits for does not take the process down', async () => {
    const seen: unknown[] = []
    const note = (reason: unknown): unknown => seen.push(reason)
    process.on('unhandledRejection', note)
    const { health, clock } = healthUnderTest()
    void health.setup(() => {
      throw new Error('sync')
    })
    await clock.advance(0)
    process.off('unhandledRejection', note)
    expect(seen).toEqual([])
    expect(health.phase).toBe('failed')
  })

  test('several all have to end', async () => {
    const ends: (() => void)[] = []
    const { health, get } = healthUnderTest()
    const both = [0, 1].map(() => health.setup(() => new Promise<void>((resolve) => ends.push(resolve))))
    ends[0]?.()
    await both[0]
    expect((await get('/startup')).body).toEqual({ status: 'starting' })
    ends[1]?.()
    await both[1]
    expect((await get('/startup')).body).toEqual({ status: 'started' })
  })

  test('one that begins after a probe was answered holds readiness back again, and warns', async () => {
    const { health, get, lines } = healthUnderTest()
    await get('/ready')
    const done = health.setup(() => Promise.resolve())
    expect((await get('/ready')).body.status).toBe('starting')
    expect(lines.join()).toContain(
      'setup() called after probes already reported started; call it before listening',
    )
    await done
    expect((await get('/ready')).body.status).toBe('ready')
  })
})

describe('a drain', () => {
  test('turns readiness, health and pool 503 from the next answer on, whatever a cache holds, and nothing else', async () => {
    const { health, get } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    for (const path of ALL) expect((await get(path)).status).toBe(200)
    health.beginDrain({ retryAfterSeconds: 7, inFlight: () => 3 })
    for (const path of ['', '/ready', '/pool']) {
      const { status, body, response } = await get(path)
      expect(status).toBe(503)
      expect(body).toEqual({ status: 'draining', retry_after_seconds: 7, in_flight: 3 })
      expect(response.headers['retry-after']).toBe('7')
      expect(response.close).toBe(true)
    }
    for (const path of ['/live', '/ping', '/startup']) {
      const { status, response } = await get(path)
      expect(status).toBe(200)
      expect(response.close).toBe(false)
    }
    expect(await health.readiness()).toEqual({ status: 'draining', checks: {} })
    expect((await health.verdict()).status).toBe('draining')
    expect((await health.pool()).status).toBe('draining')
  })

  test('is told of by a request that was waiting for a check when it began', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { health, ask, clock } = healthUnderTest({ databases: { default: database } })
    const probe = ask('/ready')
    health.beginDrain()
    database.succeed()
    await clock.advance(0)
    expect(probe.settled?.body).toEqual({ status: 'draining', retry_after_seconds: 1, in_flight: 0 })
  })

  test('goes forward only, and no check result undoes it', async () => {
    const database = scriptedCheck('x')
    const { health, get, clock } = healthUnderTest({ databases: { default: database } })
    const phases: HealthEvents['phase'][] = []
    health.on('phase', (change) => phases.push(change))
    await get('/ready')
    const steps = health.beginDrain()
    await clock.advance(5_000)
    expect((await get('/ready')).status).toBe(503)
    steps.terminated()
    steps.terminating()
    health.beginDrain({ retryAfterSeconds: 99 })
    expect(health.phase).toBe('terminated')
    expect((await get('/ready')).body).toMatchObject({ status: 'draining', retry_after_seconds: 1 })
    expect(phases.map(({ to }) => to)).toEqual(['started', 'draining', 'terminated'])
  })

  test('beats failed and starting, while startup goes on telling how the start went', async () => {
    const { health, get } = healthUnderTest()
    void health.setup(() => new Promise(() => undefined))
    health.beginDrain()
    expect((await get('/ready')).body.status).toBe('draining')
    expect(await get('/startup')).toMatchObject({ status: 503, body: { status: 'starting' } })
  })
})

describe('what breaks elsewhere does not break an answer', () => {
  const boom = (): never => {
    throw new Error('boom')
  }

  test('a logger whose functions are async and reject', async () => {
    const database = scriptedCheck('x')
    database.behave(() => Promise.reject(new Error('down')))
    const reject = (): never => Promise.reject(new Error('no disk')) as never
    const logger = { debug: reject, info: reject, warn: reject, error: reject }
    const { get } = healthUnderTest({ databases: { default: database }, logger })
    expect((await get('/ready')).status).toBe(503)
  })

  test('what is no request at all', () => {
    const { health } = healthUnderTest()
    for (const odd of [undefined, null, {}, { method: 'GET' }, { target: 5 }, 'GET /health']) {
      expect(health.answer(odd as never)).toBeUndefined()
    }
  })

  test('a logger that throws, listeners that throw, reject or never end', async () => {
    const database = scriptedCheck('x')
    database.behave(() => Promise.reject(new Error('down')))
    const { health, get } = healthUnderTest({
      databases: { default: database },
      logger: { debug: boom, info: boom, warn: boom, error: boom },
    })
    health.on('check', boom)
    health.on('check', () => Promise.reject(new Error('async')) as never)
    health.on('check', () => new Promise(() => undefined) as never)
    health.on('phase', boom)
    expect(await get('/ready')).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'not_ready' } },
    })
  })

  test.each([
    ['without a prototype', Object.create(null)],
    ['with a stack that throws', Object.defineProperty({}, 'stack', { get: boom })],
    ['undefined', undefined],
    ['with a secret in it', new Error('postgres://joe:hunter2@db\nsecond line')],
  ])('whatever is thrown, also %s', async (_what, thrown) => {
    const hostile = (): never => {
      throw thrown
    }
    const database = scriptedCheck('x', { stats: hostile })
    const { health, get, lines } = healthUnderTest({ databases: { default: database } })
    health.on('phase', hostile)
    health.on('check', hostile)
    expect((await get('/ready')).status).toBe(200)
    expect((await get('/pool')).status).toBe(200)
    health.beginDrain({ inFlight: hostile })
    for (let poll = 0; poll < 10; poll++) {
      const { status, body, response } = await get('/ready')
      expect([status, body]).toEqual([503, { status: 'draining', retry_after_seconds: 1, in_flight: 0 }])
      expect(response.close).toBe(true)
    }
    expect(lines.filter((line) => line.includes('in flight'))).toHaveLength(1)
    expect(lines.filter((line) => /hunter2|\n/.test(line))).toEqual([])
  })

  test('a drain with info of the wrong type is refused before it begins', () => {
    const { health } = healthUnderTest()
    const info = { retryAfterSeconds: 'a\r\nb', inFlight: 7 } as never
    expect(() => health.beginDrain(info)).toThrow(/retryAfterSeconds[\s\S]*inFlight/)
    for (const odd of [null, 'SIGTERM', 5]) {
      expect(() => health.beginDrain(odd as never)).toThrow(/beginDrain: expected an object/)
    }
    expect(health.phase).toBe('starting')
  })

  test('a count of requests that is none is told as 0', async () => {
    const { health, get } = healthUnderTest()
    health.beginDrain({ inFlight: () => Number.NaN })
    expect((await get('/ready')).body).toMatchObject({ status: 'draining', in_flight: 0 })
  })

  test('our own code throwing gives 503 error, but 200 on liveness and ping, and a log line', async () => {
    const broken = { now: boom, wall: boom, after: boom }
    const { get, lines } = healthUnderTest({ databases: { default: scriptedCheck('x') }, clock: broken })
    for (const path of ['', '/ready', '/pool'])
      expect(await get(path)).toMatchObject({ status: 503, body: { status: 'error' } })
    for (const path of ['/live', '/ping', '/startup']) expect((await get(path)).status).toBe(200)
    expect(lines.filter((line) => line.startsWith('error: answering'))).toHaveLength(3)
  })
})

describe('secrets', () => {
  const DSN = 'postgres://joe:hunter2@db.internal:5432/orders?sslkey=topsecret'
  const TOKEN = 'Bearer eyJhbGciOiJIUzI1NiJ9.payload.signature'
  const LEAKS = /joe|hunter2|db\.internal|5432|topsecret|eyJhbGci/

  /** An error that holds them wherever one can. */
  const leaky = (): Error => {
    const error = new Error(`connect to ${DSN} failed, sent Authorization: ${TOKEN}`, {
      cause: new Error(DSN),
    })
    const own = { code: DSN, detail: TOKEN, hint: DSN, address: 'db.internal', port: 5432, [DSN]: TOKEN }
    return Object.assign(error, own, { toJSON: () => DSN, toString: () => DSN })
  }

  test.each([
    ['throws it', () => Promise.reject(leaky())],
    ['wraps it in an AggregateError', () => Promise.reject(new AggregateError([leaky()], DSN))],
    ['throws its text', () => Promise.reject(DSN)],
    ['returns it', () => leaky() as never],
    ['returns it as a code', () => ({ usable: false, code: DSN })],
  ])(
    'no endpoint, method or status gives away what a check knows when it %s, and the log masks it',
    async (_how, run) => {
      const checks = [{ name: 'side', critical: false, run }]
      const { health, get, ask, clock, lines } = healthUnderTest({
        databases: { default: { name: 'x', run } },
        checks,
      })
      const seen: string[] = []
      const look = async (): Promise<void> => {
        for (const path of [...ALL, '?nocache=true']) {
          seen.push(JSON.stringify((await get(path)).response))
          for (const method of ['HEAD', 'OPTIONS', 'POST'])
            seen.push(JSON.stringify((await ask(path, method).answer).response))
        }
      }
      await look()
      await clock.advance(10_000)
      await look()
      health.beginDrain()
      await look()
      expect(seen.filter((text) => LEAKS.test(text))).toEqual([])
      expect(lines.filter((line) => /hunter2|topsecret|eyJhbGci/.test(line))).toEqual([])
      expect(lines.length).toBeGreaterThan(0)
    },
  )
})

describe('events', () => {
  test('a check event for each run, and none after its listener was taken away', async () => {
    const database = scriptedCheck('x')
    const { health, get, clock } = healthUnderTest({ databases: { default: database } })
    const seen: HealthEvents['check'][] = []
    const off = health.on('check', (event) => seen.push(event))
    await get('/ready')
    await get('/ready')
    off()
    await clock.advance(5_000)
    await get('/ready')
    expect(seen).toEqual([{ name: 'database_default', outcome: { kind: 'usable' }, durationMs: 0 }])
  })
})

describe('close', () => {
  test('aborts what runs, frees what checks opened once, and leaves no timer', async () => {
    let closed = 0
    const database = scriptedCheck('x', {
      close: async () => {
        closed += 1
      },
    })
    database.behave('hang')
    const { health, ask, get, clock } = healthUnderTest({ databases: { default: database } })
    const waiting = ask('/ready')
    const closing = [health.close(), health.close()]
    expect(database.signal?.aborted).toBe(true)
    database.fail(database.signal?.reason)
    await clock.advance(0)
    await Promise.all(closing)
    expect(closed).toBe(1)
    expect(waiting.settled?.status).toBe(503)
    expect(clock.pending).toBe(0)
    expect((await get('/ready')).status).toBe(503)
    expect((await get('/live')).status).toBe(200)
    expect((await get('/pool')).body.error).toBe('CLOSED: health is closed')
    await clock.advance(60_000)
    expect(database.runs).toBe(1)
  })

  test('nothing is logged and no event comes afterwards', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { health, ask, clock, lines } = healthUnderTest({ databases: { default: database } })
    const events: unknown[] = []
    health.on('check', (event) => events.push(event))
    ask('/ready')
    void health.close()
    await clock.advance(60_000)
    expect([lines, events]).toEqual([[], []])
  })

  test.each([
    ['hangs', (): Promise<void> => new Promise(() => undefined)],
    ['rejects', (): Promise<void> => Promise.reject(new Error('no'))],
    [
      'throws',
      (): never => {
        throw new Error('no')
      },
    ],
  ])('a check whose close %s does not hold it up', async (_how, close) => {
    const { health, clock } = healthUnderTest({ databases: { default: scriptedCheck('x', { close }) } })
    const closing = health.close()
    await clock.advance(2_000)
    await closing
  })
})

test('two healths in one process share nothing', async () => {
  const [first, second] = [scriptedCheck('x'), scriptedCheck('x')]
  second.behave(() => false)
  const a = healthUnderTest({ databases: { default: first } })
  const b = healthUnderTest({ databases: { default: second }, prefix: '/b' })
  a.health.beginDrain()
  expect((await a.get('/ready')).body.status).toBe('draining')
  const answer = await b.health.answer({ method: 'GET', target: '/b/health/ready' })
  expect(JSON.parse(answer?.body ?? '')).toEqual({
    status: 'not_ready',
    checks: { database_default: 'not_ready' },
  })
  expect(b.health.answer({ method: 'GET', target: '/health/ready' })).toBeUndefined()
})

test('methods: GET, HEAD and OPTIONS alike, any other 405 with Allow, also on health that drains', async () => {
  const { health, get, ask } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
  await get('/ready')
  for (const path of ['/live', '/ready', '/startup', '/ping', '/pool']) {
    const { response } = await get(path)
    const head = await ask(path, 'HEAD').answer
    expect(head.response).toEqual({ ...response, body: '' })
    const options = await ask(path, 'OPTIONS').answer
    expect(options.response).toMatchObject({ status: response.status, body: '' })
    expect(options.response.headers).toEqual({
      'cache-control': 'no-store',
      'content-length': '0',
      allow: 'GET, HEAD, OPTIONS',
    })
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PURGE', 'get', '']) {
    expect(ask('/ready', method).settled).toMatchObject({
      status: 405,
      body: { status: 'method_not_allowed' },
    })
    expect(ask('/ready', method).settled?.response.headers.allow).toBe('GET, HEAD, OPTIONS')
  }
  expect(health.answer({ method: 'POST', target: '/orders' })).toBeUndefined()
})

test('a health that exists answers synchronously from its cache', async () => {
  const health = createHealth({ env: {}, databases: { default: scriptedCheck('x') } })
  expect(health.answer({ method: 'GET', target: '/health/ready' })).toBeInstanceOf(Promise)
  await health.readiness()
  expect(health.answer({ method: 'GET', target: '/health/ready' })).not.toBeInstanceOf(Promise)
  await health.close()
})
