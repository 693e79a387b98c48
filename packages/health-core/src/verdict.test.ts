import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import { manualClock } from './machinery/manual-clock.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { VerdictTransition } from './vocabulary/verdict-transition.ts'

const MINUTE = 60_000

describe('the tiers of one process', () => {
  test('L3 computes, L1 answers for two seconds, L2 holds the results for fifteen', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database }, verdict: { refresh: false } })
    const cache = async (): Promise<unknown> => (await get('')).body._cache
    expect(await cache()).toEqual({ hit: 'L3', age_ms: 0 })
    await clock.advance(1_999)
    expect(await cache()).toEqual({ hit: 'L1', age_ms: 1_999 })
    await clock.advance(1)
    expect(await cache()).toEqual({ hit: 'L2', age_ms: 2_000 })
    await clock.advance(100)
    expect(await cache()).toEqual({ hit: 'L1', age_ms: 2_100 })
    await clock.advance(12_899)
    expect(await cache()).toEqual({ hit: 'L2', age_ms: 14_999 })
    expect(database.runs).toBe(1)
    await clock.advance(1)
    expect(await cache()).toEqual({ hit: 'L3', age_ms: 0 })
    expect(database.runs).toBe(2)
  })

  test('a cached answer is given synchronously, whichever tier it comes from', async () => {
    const { ask, get, clock } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    await get('')
    for (let i = 0; i < 6; i++) {
      expect(ask('').settled?.status).toBe(200)
      await clock.advance(2_000)
    }
  })

  test('what readiness finds out is told by health at once, bad or good', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('')
    await clock.advance(5_000)
    database.behave(() => false)
    await get('/ready')
    expect((await get('')).body.status).toBe('unhealthy')
    await clock.advance(5_000)
    database.behave(() => true)
    await get('/ready')
    expect((await get('')).body.status).toBe('healthy')
  })

  test('a hung check, with readiness, health and pool asking, has one outstanding run', async () => {
    const database = scriptedCheck('x')
    const { ask, get, clock } = healthUnderTest({ databases: { default: database } })
    await get('')
    database.behave('hang')
    for (let i = 0; i < 120; i++) {
      for (const path of ['', '/ready', '/pool', '?nocache=true']) ask(path)
      await clock.advance(500)
    }
    expect(database.most).toBe(1)
    expect(ask('').settled?.body).toMatchObject({ status: 'unhealthy', checks: { database: 'timed_out' } })
  })
})

describe('no answer is older than its TTL', () => {
  test('when the check hangs after one success, with or without the refresher', async () => {
    for (const refresh of [true, false]) {
      const database = scriptedCheck('x')
      const { get, clock } = healthUnderTest({ databases: { default: database }, verdict: { refresh } })
      await get('')
      database.behave('hang')
      await clock.advance(15_000)
      expect((await get('', 2_500)).body.status, `refresh: ${refresh}`).toBe('unhealthy')
    }
  })

  test('when no timer ever fires', async () => {
    const clock = manualClock()
    const database = scriptedCheck('x')
    const dead = { ...clock, after: () => () => undefined }
    const { get } = healthUnderTest({ databases: { default: database }, clock: dead }, clock)
    await get('')
    database.behave(() => false)
    await clock.advance(14_999)
    expect((await get('')).body.status).toBe('healthy')
    await clock.advance(1)
    expect((await get('')).body.status).toBe('unhealthy')
  })

  test.each([-3_600_000, 3_600_000])('when the wall clock steps by %s ms', async (stepMs) => {
    const clock = manualClock()
    let step = 0
    const stepping = { ...clock, wall: () => clock.wall() + step }
    const database = scriptedCheck('x')
    const { get } = healthUnderTest(
      { databases: { default: database }, clock: stepping, verdict: { refresh: false } },
      clock,
    )
    await get('')
    step = stepMs
    await clock.advance(1_000)
    expect((await get('')).body._cache).toEqual({ hit: 'L1', age_ms: 1_000 })
    await clock.advance(13_999)
    expect((await get('')).body._cache).toEqual({ hit: 'L2', age_ms: 14_999 })
    await clock.advance(1)
    expect((await get('')).body._cache).toEqual({ hit: 'L3', age_ms: 0 })
    expect(database.runs).toBe(2)
  })
})

describe('the refresher', () => {
  test('computes about once per interval, so that nobody who polls ever waits', async () => {
    const database = scriptedCheck('x')
    const { ask, get, clock } = healthUnderTest({ databases: { default: database } })
    await get('')
    const before = database.runs
    for (let i = 0; i < 6_000; i++) {
      await clock.advance(100)
      expect(ask('').settled?.status).toBe(200)
    }
    const perInterval = (database.runs - before) / 60
    expect(perInterval).toBeGreaterThan(0.99)
    expect(perInterval).toBeLessThan(1.1)
  })

  test('counts what others computed: readiness keeps results young, and nothing is computed twice', async () => {
    const database = scriptedCheck('x')
    const { ask, clock } = healthUnderTest({ databases: { default: database } })
    for (let i = 0; i < 120; i++) {
      ask('')
      ask('/ready')
      await clock.advance(1_000)
    }
    expect(database.runs).toBeLessThanOrEqual(25)
  })

  test('rests when nobody has asked for five minutes, and goes on with the next who does', async () => {
    const database = scriptedCheck('x')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('')
    await clock.advance(5 * MINUTE + 10_000)
    const { runs } = database
    expect(runs).toBeGreaterThan(30)
    await clock.advance(60 * MINUTE)
    expect(database.runs).toBe(runs)
    expect(clock.pending).toBe(0)
    await get('')
    await clock.advance(10_000)
    expect(database.runs).toBe(runs + 2)
  })

  test('is off with refresh: false, and ends with a drain and with close', async () => {
    for (const end of ['off', 'drain', 'close'] as const) {
      const database = scriptedCheck('x')
      const { health, get, clock } = healthUnderTest({
        databases: { default: database },
        verdict: { refresh: end !== 'off' },
      })
      await get('')
      if (end === 'drain') health.beginDrain()
      if (end === 'close') await health.close()
      await clock.advance(5 * MINUTE)
      expect([end, database.runs, clock.pending]).toEqual([end, 1, 0])
    }
  })

  test('never computes while nobody asks for health', async () => {
    const database = scriptedCheck('x', { critical: false })
    const { get, clock } = healthUnderTest({ checks: [database] })
    for (let i = 0; i < 60; i++) {
      await get('/ready')
      await get('/live')
      await clock.advance(1_000)
    }
    expect(database.runs).toBe(0)
  })
})

describe('moves of the verdict', () => {
  const moving = (): ReturnType<typeof healthUnderTest> & {
    readonly moves: VerdictTransition[]
    turn(database: boolean, mail?: boolean): Promise<void>
  } => {
    const database = scriptedCheck('x')
    const mail = scriptedCheck('mail', { critical: false })
    const under = healthUnderTest({ databases: { default: database }, checks: [mail] })
    const moves: VerdictTransition[] = []
    under.health.on('verdict', (move) => moves.push(move))
    const turn = async (isDatabaseUp: boolean, isMailUp = true): Promise<void> => {
      database.behave(() => isDatabaseUp)
      mail.behave(() => isMailUp)
      await under.clock.advance(1_000)
      await under.get('?nocache=true')
    }
    return { ...under, moves, turn }
  }

  test('all six are told with from, to, cause and time, and are kept as history', async () => {
    const { health, clock, moves, turn } = moving()
    const at = clock.wall()
    await turn(true)
    await turn(true, false)
    await turn(false, false)
    await turn(true, false)
    await turn(true)
    await turn(false)
    await turn(true)
    expect(moves).toEqual([
      { from: 'healthy', to: 'degraded', cause: 'mail', at: at + 2_000 },
      { from: 'degraded', to: 'unhealthy', cause: 'database, mail', at: at + 3_000 },
      { from: 'unhealthy', to: 'degraded', cause: 'mail', at: at + 4_000 },
      { from: 'degraded', to: 'healthy', cause: 'mail', at: at + 5_000 },
      { from: 'healthy', to: 'unhealthy', cause: 'database', at: at + 6_000 },
      { from: 'unhealthy', to: 'healthy', cause: 'database', at: at + 7_000 },
    ])
    expect(health.history).toEqual(moves)
  })

  test('the history holds the last fifty', async () => {
    const { health, moves, turn } = moving()
    for (let i = 0; i < 60; i++) await turn(i % 2 === 1)
    expect(moves).toHaveLength(60)
    expect(health.history).toEqual(moves.slice(-50))
  })

  test('one is told as soon as any run shows it, whoever asked for the run', async () => {
    const database = scriptedCheck('x')
    const { health, get, clock } = healthUnderTest({ databases: { default: database } })
    const moves: VerdictTransition[] = []
    health.on('verdict', (move) => moves.push(move))
    await get('')
    database.behave(() => false)
    await clock.advance(5_000)
    await get('/ready')
    expect(moves).toMatchObject([{ from: 'healthy', to: 'unhealthy', cause: 'database' }])
  })

  test('none is told before every check has been seen', async () => {
    const replica = scriptedCheck('x')
    replica.behave('hang')
    const { health, ask, clock } = healthUnderTest({ databases: { default: scriptedCheck('x'), replica } })
    ask('/ready')
    await clock.advance(400)
    replica.succeed()
    await clock.advance(0)
    expect(health.history).toEqual([])
  })

  test('none is told in the middle of a round, though a cached answer shows what is known by then', async () => {
    const main = scriptedCheck('x')
    const replica = scriptedCheck('x')
    const { health, get, ask, clock } = healthUnderTest({ databases: { default: main, replica } })
    await get('')
    await clock.advance(1_000)
    main.behave(() => false)
    replica.behave('hang')
    ask('?nocache=true')
    await clock.advance(100)
    expect((await get('')).body.status).toBe('unhealthy')
    expect(health.history).toEqual([])
    replica.fail()
    await clock.advance(0)
    expect(health.history).toMatchObject([{ to: 'unhealthy', cause: 'database, database_replica' }])
  })

  test('only moves, one reminder a minute and the recovery with its duration are logged', async () => {
    const { lines, turn } = moving()
    const own = (): string[] => lines.filter((line) => line.includes('verdict'))
    await turn(false)
    for (let i = 0; i < 130; i++) await turn(false)
    await turn(true)
    for (let i = 0; i < 130; i++) await turn(true)
    expect(own()).toEqual([
      'warn: verdict: healthy -> unhealthy (database)',
      'warn: verdict: still unhealthy after 60 s (database)',
      'warn: verdict: still unhealthy after 120 s (database)',
      'warn: verdict: unhealthy -> healthy after 131 s (database)',
    ])
  })

  test('each is published on a diagnostics channel', async () => {
    const heard: unknown[] = []
    const hear = (message: unknown): void => void heard.push(message)
    subscribe('baldur:health:verdict', hear)
    const { moves, turn } = moving()
    await turn(false)
    unsubscribe('baldur:health:verdict', hear)
    await turn(true)
    expect(heard).toEqual([{ ...moves[0], namespace: undefined }])
  })

  test('a listener that throws, rejects or never ends changes no answer, and a logger that throws neither', async () => {
    const boom = (): never => {
      throw new Error('boom')
    }
    const database = scriptedCheck('x')
    const { health, get, clock } = healthUnderTest({
      databases: { default: database },
      logger: { debug: boom, info: boom, warn: boom, error: boom },
    })
    for (const bad of [boom, () => Promise.reject(new Error('no')), () => new Promise(() => undefined)]) {
      health.on('verdict', bad as never)
    }
    database.behave(() => false)
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
    database.behave(() => true)
    await clock.advance(1_000)
    expect(await get('?nocache=true')).toMatchObject({ status: 200, body: { status: 'healthy' } })
  })
})

test('a failing non-critical check degrades health and leaves readiness alone; an unmarked one is critical', async () => {
  for (const [critical, ready, health, status] of [
    [false, 200, 200, 'degraded'],
    [true, 503, 503, 'unhealthy'],
    [undefined, 503, 503, 'unhealthy'],
  ] as const) {
    const queue = scriptedCheck('queue', critical === undefined ? {} : { critical })
    queue.behave(() => false)
    const { get } = healthUnderTest({ databases: { default: scriptedCheck('x') }, checks: [queue] })
    expect((await get('/ready')).status).toBe(ready)
    expect(await get('')).toMatchObject({ status: health, body: { status } })
  }
})
