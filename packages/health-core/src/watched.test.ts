import { describe, expect, test } from 'vitest'
import type { HealthOptions } from './options/input.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'

/** A health that somebody watches: looked at once a second, on a clock that a test moves. */
function watched(options: HealthOptions) {
  const under = healthUnderTest(options)
  return {
    ...under,
    /** Moves time on by so many seconds, each with a look of the watcher. */
    watch: async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        void under.health.watch()
        await under.clock.advance(1_000)
      }
    },
  }
}

describe('whoever watches', () => {
  test('sees a failure within a second, though nobody else asks', async () => {
    const database = scriptedCheck('x')
    const { health, watch } = watched({ databases: { default: database } })
    await watch(2)
    expect(health.snapshot().verdict.status).toBe('healthy')
    database.behave(() => false)
    await watch(1)
    expect(health.snapshot()).toMatchObject({
      verdict: { status: 'unhealthy', checks: { database: 'unhealthy' }, causes: ['database'] },
      readiness: { status: 'not_ready', checks: { database_default: 'not_ready' } },
    })
  })

  test('is told of a service that nobody has asked before what its checks say, whatever their fall', async () => {
    const database = scriptedCheck('x', { fall: 3 })
    const { health, clock } = watched({ databases: { default: database } })
    const told = health.watch()
    await clock.advance(10)
    expect((await told).status).toBe('healthy')
  })

  test.each([
    ['fall', { fall: 3 }],
    ['rise', { rise: 2 }],
  ])(
    'lets a row of runs grow no faster: a check with a %s above 1 is run as often as without it',
    async (_name, policy) => {
      const runs = async (isWatched: boolean): Promise<number> => {
        const database = scriptedCheck('x', policy)
        const under = watched({ databases: { default: database } })
        const { watch, clock, ask } = under
        for (let i = 0; i < 6; i++) {
          ask('')
          ask('/ready')
          if (isWatched) await watch(10)
          else await clock.advance(10_000)
        }
        await under.health.close()
        return database.runs
      }
      expect(await runs(true)).toBe(await runs(false))
    },
  )

  test('takes no instance out of rotation with a blip that probes count once', async () => {
    const database = scriptedCheck('x', { fall: 3 })
    const { watch, get } = watched({ databases: { default: database } })
    await get('/ready')
    database.behave(() => false)
    await watch(4)
    expect((await get('/ready')).status).toBe(200)
  })

  test.each([300, 900])(
    'keeps no probe from a check with a fall, however slow another one is: %i ms',
    async (ms) => {
      const found = async (isWatched: boolean): Promise<number> => {
        const slow = scriptedCheck('x')
        const cache = scriptedCheck('cache', { fall: 2 })
        const under = watched({ databases: { default: slow }, checks: [cache] })
        const { clock, health, ask } = under
        slow.behave(() => new Promise((resolve) => void clock.after(ms, () => resolve(true))))
        ask('')
        await clock.advance(1_000)
        cache.behave(() => false)
        const from = clock.now()
        for (let i = 0; i < 600 && health.snapshot().verdict.status !== 'unhealthy'; i++) {
          if (isWatched && i % 10 === 0) void health.watch()
          if (i % 20 === 0) ask('')
          await clock.advance(100)
        }
        const tookMs = clock.now() - from
        await health.close()
        return tookMs
      }
      const alone = await found(false)
      expect(alone).toBeLessThan(60_000)
      expect(await found(true)).toBeLessThanOrEqual(alone + 1_000)
    },
  )

  test('is no round that a probe would take for its own', async () => {
    const database = scriptedCheck('x', { fall: 2 })
    const slow = scriptedCheck('slow')
    const { health, clock, ask } = watched({ databases: { default: database }, checks: [slow] })
    slow.behave('hang')
    void health.watch()
    await clock.advance(100)
    const asked = ask('')
    slow.succeed()
    await clock.advance(100)
    expect(asked.settled).toMatchObject({ status: 200, body: { status: 'healthy' } })
  })

  test('takes no turn of those who compute past the cache', async () => {
    const database = scriptedCheck('x', { fall: 2 })
    const { health, clock, get } = watched({ databases: { default: database } })
    await get('')
    const before = database.runs
    for (let i = 0; i < 5; i++) {
      void health.watch()
      await clock.advance(10)
      expect((await get('?nocache=true')).body._cache).toEqual({ hit: 'BYPASSED', age_ms: 0 })
      await clock.advance(1_000)
    }
    expect(database.runs - before).toBe(5)
  })

  test('is one: many who ask at once make one run a second', async () => {
    const database = scriptedCheck('x')
    const { health, clock } = watched({ databases: { default: database } })
    for (let i = 0; i < 30; i++) {
      for (let j = 0; j < 20; j++) void health.watch()
      await clock.advance(100)
    }
    expect(database.runs).toBeLessThanOrEqual(4)
  })

  test('asks nothing of a health that leaves', async () => {
    const database = scriptedCheck('x')
    const { health } = watched({ databases: { default: database } })
    health.beginDrain()
    expect((await health.watch()).status).toBe('draining')
    expect(database.runs).toBe(0)
  })
})

describe('healing, while somebody watches', () => {
  /** When it begins, in milliseconds from the first failure; readiness is probed so often. */
  const begins = async (isWatched: boolean, probeMs: number): Promise<number> => {
    const database = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 3 } })
    database.behave(() => false)
    const { health, clock, ask } = watched({ databases: { default: database } })
    let at = Number.POSITIVE_INFINITY
    health.on('heal', ({ kind }) => {
      if (kind === 'started') at = Math.min(at, clock.now())
    })
    const from = clock.now()
    for (let ms = 0; ms < 60_000; ms += 1_000) {
      if (ms % probeMs === 0) ask('/ready')
      if (isWatched) void health.watch()
      await clock.advance(1_000)
    }
    await health.close()
    return at - from
  }

  test('comes no sooner than probes could bring it, and hardly later', async () => {
    expect(await begins(false, 6_000)).toBe(12_000)
    const seen = await begins(true, 6_000)
    expect(seen).toBeGreaterThanOrEqual(10_000)
    expect(seen).toBeLessThanOrEqual(13_000)
  })

  test('a usable run ends the row, whoever asked for it', async () => {
    const database = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 3 } })
    const { watch, lines, clock } = watched({ databases: { default: database } })
    const from = clock.now()
    // the failed ones are as far apart as they count
    database.behave(() => Math.floor((clock.now() - from) / 1_000) % 5 !== 0)
    await watch(60)
    expect(lines.join()).not.toContain('healing')
  })

  test('a run that a probe joins counts', async () => {
    const database = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 2 } })
    database.behave(() => false)
    const { health, clock, ask, lines } = watched({ databases: { default: database } })
    ask('/ready')
    await clock.advance(1_000)
    database.behave('hang')
    void health.watch()
    await clock.advance(200)
    ask('?nocache=true')
    database.succeed(false)
    await clock.advance(10)
    expect(database.runs).toBe(2)
    expect(lines.join()).toContain('attempt 1 of 5 after 2 failed runs')
  })
})

test('a snapshot has phases in the place of verdict and readiness, as the endpoints do', async () => {
  const { health } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
  void health.setup(() => new Promise<void>(() => undefined))
  expect(health.snapshot()).toMatchObject({
    verdict: { status: 'starting', checks: {} },
    readiness: { status: 'starting', checks: {} },
  })
  health.beginDrain()
  expect(health.snapshot().readiness.status).toBe('draining')
})
