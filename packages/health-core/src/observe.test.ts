import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHealth } from './create-health.ts'
import type { HealthOptions } from './options/input.ts'
import { type HealthUnderTest, healthUnderTest } from './testing/health-under-test.ts'
import type { ObserveOptions } from './vocabulary/observe.ts'

const usable = { name: 'db', run: () => true }

/** A health that observes, and a way to tell it of answers. */
function observed(
  options: HealthOptions = { databases: { default: usable } },
  observe?: ObserveOptions,
): HealthUnderTest & { tell(...statuses: readonly number[]): void } {
  const made = healthUnderTest(options)
  const observer = made.health.observe(observe)
  return {
    ...made,
    tell: (...statuses) => {
      for (const status of statuses) observer(status, {})
    },
  }
}

describe('the app’s own answers', () => {
  it('read as a check from the moment that they are observed, also in an answer that was cached before', async () => {
    const { health, get } = healthUnderTest({ databases: { default: usable } })
    expect((await get('/ready')).body).toEqual({ status: 'ready', checks: { database_default: 'ready' } })
    expect((await get('')).body).toMatchObject({ checks: { database: 'healthy' } })
    health.observe()
    expect((await get('/ready')).body).toEqual({
      status: 'ready',
      checks: { database_default: 'ready', responses: 'ready' },
    })
    expect((await get('')).body).toMatchObject({ checks: { database: 'healthy', responses: 'healthy' } })
  })

  it('turn readiness off at the third 503 in a row, not sooner, and it comes back by itself after 10 s', async () => {
    const { get, tell, clock } = observed()
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    const { status, body } = await get('/ready')
    expect([status, body]).toEqual([
      503,
      { status: 'not_ready', checks: { database_default: 'ready', responses: 'not_ready' } },
    ])
    expect(await get('')).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', checks: { responses: 'unhealthy' } },
    })
    await clock.advance(9_999)
    expect((await get('/ready')).status).toBe(503)
    await clock.advance(1)
    expect((await get('/ready')).status).toBe(200)
    expect((await get('')).body).toMatchObject({ status: 'healthy' })
  })

  it('never touch liveness, startup, ping and pool', async () => {
    const { get, tell } = observed()
    tell(503, 503, 503, 504)
    for (const path of ['/live', '/startup', '/ping', '/pool']) expect((await get(path)).status).toBe(200)
  })

  it.each([200, 204, 304, 400, 404, 429, 500, 502, 504])('a %i between them ends the row', async (other) => {
    const { get, tell } = observed()
    tell(503, 503, other, 503, 503)
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    expect((await get('/ready')).status).toBe(503)
  })

  it.each([200, 301, 404, 429, 500, 501, 502, 505, 599])(
    '%i, however often, changes nothing',
    async (status) => {
      const { get, tell, lines } = observed()
      for (let i = 0; i < 50; i++) tell(status)
      expect((await get('/ready')).status).toBe(200)
      expect((await get('')).body.status).toBe('healthy')
      expect(lines).toEqual([])
    },
  )

  it('a good answer during the hold does not end it, since the instance is held back for that time', async () => {
    const { get, tell, clock } = observed()
    tell(503, 503, 503, 200)
    await clock.advance(9_999)
    expect((await get('/ready')).status).toBe(503)
  })

  it('a row that goes on during the hold holds on from its last answer; a broken one needs three again', async () => {
    const { get, tell, clock } = observed()
    tell(503, 503, 503)
    await clock.advance(6_000)
    tell(503)
    await clock.advance(6_000)
    expect((await get('/ready')).status).toBe(503)
    tell(200, 503)
    await clock.advance(4_000)
    expect((await get('/ready')).status).toBe(200)
  })

  it('after the hold a single 503 is one again, not the fourth of a row', async () => {
    const { get, tell, clock } = observed()
    tell(503, 503, 503)
    await clock.advance(10_000)
    tell(503, 503)
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    expect((await get('/ready')).status).toBe(503)
  })

  it('one 504 degrades the verdict for the time of the hold, and leaves readiness alone', async () => {
    const { get, tell, clock } = observed()
    tell(504)
    expect(await get('')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { database: 'healthy', responses: 'unhealthy' } },
    })
    expect((await get('/ready')).body).toMatchObject({ status: 'ready', checks: { responses: 'ready' } })
    await clock.advance(9_999)
    expect((await get('')).body.status).toBe('degraded')
    await clock.advance(1)
    expect((await get('')).body.status).toBe('healthy')
  })

  it('a 504 and a row of 503 are held each for its own time', async () => {
    const { get, tell, clock } = observed()
    tell(504)
    await clock.advance(5_000)
    tell(503, 503, 503)
    expect((await get('')).body.status).toBe('unhealthy')
    await clock.advance(5_000)
    expect((await get('')).body.status).toBe('unhealthy')
    tell(504)
    await clock.advance(5_000)
    expect((await get('')).body.status).toBe('degraded')
    expect((await get('/ready')).status).toBe(200)
    await clock.advance(5_000)
    expect((await get('')).body.status).toBe('healthy')
  })

  it('count once per response, however often one is told', async () => {
    const { health, get } = healthUnderTest({ databases: { default: usable } })
    const observe = health.observe()
    const response = {}
    for (let i = 0; i < 9; i++) observe(503, response)
    expect((await get('/ready')).status).toBe(200)
  })

  it('take the numbers that are given', async () => {
    const { get, tell, clock } = observed(undefined, { fall: 2, holdMs: 500 })
    tell(503)
    expect((await get('/ready')).status).toBe(200)
    tell(503)
    expect((await get('/ready')).status).toBe(503)
    await clock.advance(500)
    expect((await get('/ready')).status).toBe(200)
  })

  it('are a critical check: with no other one the verdict follows them', async () => {
    const { get, tell } = observed({})
    expect(await get('')).toMatchObject({ status: 200, body: { status: 'healthy' } })
    tell(504)
    expect(await get('')).toMatchObject({ status: 200, body: { status: 'degraded' } })
    tell(503, 503, 503)
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
  })

  it('do not hide a database that fails', async () => {
    const { get } = observed({ databases: { default: { name: 'db', run: () => false } } })
    expect((await get('/ready')).body).toEqual({
      status: 'not_ready',
      checks: { database_default: 'not_ready', responses: 'ready' },
    })
  })

  it('are not counted while draining, when an instance may answer 503', async () => {
    const { get, tell, health, lines } = observed()
    const events: string[] = []
    health.on('check', ({ name }) => events.push(name))
    health.beginDrain()
    tell(503, 503, 503, 504)
    expect((await get('/ready')).body).toMatchObject({ status: 'draining' })
    expect([events, lines]).toEqual([[], []])
  })

  it('are not counted before the setup has ended, when an app may answer 503', async () => {
    const { health, get } = healthUnderTest({ databases: { default: usable } })
    const observe = health.observe()
    let ready: () => void = () => undefined
    const setup = health.setup(() => new Promise<void>((resolve) => (ready = resolve)))
    for (let i = 0; i < 5; i++) observe(503, {})
    ready()
    await setup
    expect((await get('/ready')).status).toBe(200)
  })

  it('of both kinds at once are told as what weighs more', async () => {
    const { tell, clock, lines } = observed()
    tell(504, 503, 503, 503)
    await clock.advance(5_000)
    tell(504)
    await clock.advance(10_000)
    expect(lines.map((line) => line.split(': ')[2])).toEqual([
      'ANSWERED_504',
      'ANSWERED_503',
      'ANSWERED_504',
      undefined,
    ])
  })

  it('told without their response, as JavaScript can, break nothing and count', async () => {
    const { health, get } = healthUnderTest({ databases: { default: usable } })
    const observe = health.observe() as (status: number) => void
    for (let i = 0; i < 3; i++) observe(503)
    expect((await get('/ready')).status).toBe(503)
  })

  it('are told of in the log and as an event, once when they turn and once when that is over', async () => {
    const { tell, clock, lines, health } = observed()
    const events: string[] = []
    health.on('check', ({ name, outcome }) => events.push(`${name} ${outcome.kind}`))
    tell(503, 503, 503, 503, 503)
    await clock.advance(10_000)
    expect(events).toEqual(['responses unusable', 'responses usable'])
    expect(lines).toEqual([
      'warn: check responses is not usable: ANSWERED_503: the service answered 503 several times in a row',
      'warn: check responses is usable again',
    ])
  })

  it('count nothing more once the health is closed, and leave no timer behind', async () => {
    const { tell, clock, health, lines } = observed()
    tell(504, 503, 503, 503)
    await health.close()
    expect(clock.pending).toBe(0)
    expect((await health.readiness()).checks).toMatchObject({ responses: 'not_ready' })
    expect((await health.verdict()).status).toBe('unhealthy')
    tell(503, 503, 503, 504)
    expect(clock.pending).toBe(0)
    expect(lines).toHaveLength(2)
  })

  it('a random order of answers turns readiness off just when the last ones are three 503 within the hold', async () => {
    const status = fc.oneof(
      { weight: 3, arbitrary: fc.constant(503) },
      { weight: 1, arbitrary: fc.constantFrom(200, 404, 500, 504) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(status, { maxLength: 30 }), async (statuses) => {
        const { get, tell } = observed()
        tell(...statuses)
        const hadRow = statuses.join(' ').includes('503 503 503')
        expect((await get('/ready')).status).toBe(hadRow ? 503 : 200)
      }),
    )
  })
})

describe('observe', () => {
  const health = () => createHealth({ env: {}, checks: [usable] })

  it('called again with the same numbers gives the same observer: several mounts count together', () => {
    const made = health()
    expect(made.observe({ fall: 2 })).toBe(made.observe({ fall: 2, holdMs: 10_000 }))
  })

  it('called again with other numbers says which count', () => {
    const made = health()
    made.observe({ fall: 2 })
    expect(() => made.observe()).toThrow(
      'observe: expected the same numbers as in the first call, fall 2 and holdMs 10000, got fall 3 and holdMs 10000',
    )
  })

  it.each([
    [{ fall: 0 }, 'observe.fall: expected 1 to 100, whole, got 0 (number)'],
    [{ fall: 1.5 }, 'observe.fall: expected 1 to 100, whole, got 1.5 (number)'],
    [{ holdMs: 5 }, 'observe.holdMs: expected 10 to 600000 milliseconds, got 5 (number)'],
    [{ holdMs: '10s' }, 'observe.holdMs: expected 10 to 600000 milliseconds, got "10s" (string)'],
    [
      { holdMS: 5 },
      'observe.holdMS: expected one of fall, holdMs, got an unknown option (did you mean holdMs?)',
    ],
    ['on', 'observe: expected true, false or an object, got "on" (string)'],
    [null, 'observe: expected true, false or an object, got null'],
  ])('refuses %j', (options, message) => {
    expect(() => health().observe(options as never)).toThrow(message)
  })

  it('refuses beside a check of its own name', () => {
    const made = createHealth({ env: {}, checks: [{ name: 'responses', run: () => true }] })
    expect(() => made.observe()).toThrow('observe: expected the name "responses" to be free')
  })
})
