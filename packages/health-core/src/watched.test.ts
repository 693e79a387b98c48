import { describe, expect, test } from 'vitest'
import type { HealthOptions } from './options/input.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'

/** A health that somebody watches: asked once a second, on a clock that a test moves. */
function watched(options: HealthOptions) {
  const under = healthUnderTest(options)
  return {
    ...under,
    /** Moves time on by so many seconds, each with a look of the watcher. */
    watch: async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        void under.health.verdict({ watched: true })
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

  test('joins a run that a probe needs, which counts then', async () => {
    const database = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 1 } })
    database.behave('hang')
    const { health, clock, ask, lines } = watched({ databases: { default: database } })
    void health.verdict({ watched: true })
    await clock.advance(10)
    ask('/ready')
    database.fail()
    await clock.advance(10)
    expect(database.runs).toBe(1)
    expect(lines.join()).toContain('try 1 of 5 after 1 failed runs')
  })

  test('brings healing no nearer than the refresher would', async () => {
    const started = async (isWatched: boolean): Promise<number> => {
      const database = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 3 } })
      database.behave(() => false)
      const { health, watch, clock, ask } = watched({ databases: { default: database } })
      let at = Number.POSITIVE_INFINITY
      health.on('heal', ({ kind }) => {
        if (kind === 'started') at = Math.min(at, clock.now())
      })
      const before = clock.now()
      ask('')
      for (let i = 0; i < 60; i++) await (isWatched ? watch(1) : clock.advance(1_000))
      await health.close()
      return at - before
    }
    expect(await started(true)).toBeGreaterThanOrEqual(20_000)
    expect(await started(false)).toBeGreaterThanOrEqual(15_000)
    expect(await started(true)).toBeLessThan(40_000)
  })

  test('is one: many who ask at once make one run a second', async () => {
    const database = scriptedCheck('x')
    const { health, clock } = watched({ databases: { default: database } })
    for (let i = 0; i < 30; i++) {
      for (let j = 0; j < 20; j++) void health.verdict({ watched: true })
      await clock.advance(100)
    }
    expect(database.runs).toBeLessThanOrEqual(3)
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
