import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'

const refused = (): never => {
  throw Object.assign(new Error('connect to db.internal password=hunter2 failed'), { code: 'ECONNREFUSED' })
}

describe('a snapshot', () => {
  test('tells what is known, and asks nothing', async () => {
    const main = scriptedCheck('x', { vendor: 'postgresql', stats: () => ({ idle: 2 }) })
    const mail = scriptedCheck('mail', { critical: false })
    const { health, get, clock } = healthUnderTest({ databases: { default: main }, checks: [mail] })
    expect(health.snapshot().checks).toMatchObject([
      { name: 'database_default', healthName: 'database', status: 'unknown', runningMs: 0 },
      { name: 'mail', healthName: 'mail', critical: false, status: 'unknown' },
    ])
    expect(health.snapshot().checks[0]).not.toHaveProperty('ageMs')
    await get('')
    await clock.advance(700)
    expect(health.snapshot()).toMatchObject({
      phase: 'started',
      checks: [
        { vendor: 'postgresql', critical: true, status: 'usable', ageMs: 700, gauges: { idle: 2 } },
        { status: 'usable', latest: { kind: 'usable' }, ageMs: 700 },
      ],
      answers: { L1: 0, L2: 0, L3: 1, BYPASSED: 0 },
    })
    expect([main.runs, mail.runs]).toEqual([1, 1])
  })

  test('shows a run that has not settled, and for how long', async () => {
    const main = scriptedCheck('x')
    main.behave('hang')
    const { health, ask, clock } = healthUnderTest({ databases: { default: main } })
    const asked = ask('/ready')
    await clock.advance(300)
    expect(health.snapshot().checks[0]).toMatchObject({ status: 'unknown', runningMs: 300 })
    await clock.advance(2_000)
    expect(asked.settled?.status).toBe(503)
    expect(health.snapshot().checks[0]).toMatchObject({ status: 'timed_out', runningMs: 2_300, ageMs: 300 })
  })

  test('counts the answers to /health by where they came from', async () => {
    const { health, get, clock } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    await get('')
    await get('')
    await get('')
    await clock.advance(2_500)
    await get('')
    await get('?nocache=true')
    await get('/ready')
    expect(health.snapshot().answers).toEqual({ L1: 2, L2: 1, L3: 1, BYPASSED: 1 })
  })

  test('has the watchdog’s report once it has looked', async () => {
    const { health, clock } = healthUnderTest({
      databases: { default: scriptedCheck('x') },
      watchdog: { components: { queue: () => 'degraded' } },
    })
    expect(health.snapshot()).not.toHaveProperty('watchdog')
    await clock.advance(2_000)
    // it looks at the machine too
    const seen = { status: 'degraded', components: { queue: 'degraded' } }
    await expect.poll(() => health.snapshot().watchdog).toMatchObject(seen)
  })
})

describe('a caller with a key', () => {
  const ask = async (health: ReturnType<typeof createHealth>, target: string, expose?: 'message') =>
    JSON.parse((await health.answer({ method: 'GET', target, expose }))?.body ?? '{}') as object

  test('reads what drivers say, secrets masked; nobody else does', async () => {
    const main = scriptedCheck('x')
    main.behave(refused)
    const { health } = healthUnderTest({ databases: { default: main }, checks: [scriptedCheck('mail')] })
    const problem =
      /^ECONNREFUSED: connection refused \(connect to db.internal password=(?!hunter2)\S+ failed\)$/
    expect(await ask(health, '/health', 'message')).toMatchObject({
      problems: { database: expect.stringMatching(problem) },
    })
    expect(await ask(health, '/health/pool', 'message')).toMatchObject({
      error: expect.stringMatching(problem),
    })
    for (const target of ['/health', '/health/pool', '/health/ready']) {
      expect(JSON.stringify(await ask(health, target))).not.toMatch(/db.internal|problems/)
    }
  })

  test('reads that there are no problems when there are none', async () => {
    const { health } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    expect(await ask(health, '/health', 'message')).toMatchObject({ status: 'healthy', problems: {} })
  })
})

describe('an explanation', () => {
  test('has the numbers in force, wherever they came from', () => {
    const health = createHealth({
      env: { BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS: '0.8', BALDUR_NAMESPACE: 'orders' },
      prefix: '/api',
      databases: { default: scriptedCheck('x', { fall: 3, heal: { run: () => undefined } }) },
      verdict: { refreshIntervalMs: 5_000 },
      watchdog: false,
    })
    expect(health.explain()).toEqual({
      namespace: 'orders',
      prefix: '/api',
      paths: health.paths,
      readiness: { budgetMs: 800, cacheTtlMs: 5_000, timeoutFailDirection: 'not_ready' },
      verdict: {
        budgetMs: 2_500,
        refresh: true,
        l1TtlMs: 2_000,
        l2TtlMs: 15_000,
        refreshIntervalMs: 5_000,
        isShared: false,
      },
      pool: { budgetMs: 2_500, cacheTtlMs: 1_000 },
      checks: [
        {
          name: 'database_default',
          critical: true,
          fall: 3,
          rise: 1,
          timeoutMs: 2_000,
          connectTimeoutMs: 5_000,
          minIntervalMs: 0,
          heal: { afterFailures: 3, cooldownMs: 60_000, maxAttempts: 5 },
        },
      ],
    })
  })

  test('is the caller’s to keep: what is done to it changes nothing', async () => {
    const { health } = healthUnderTest({ databases: { default: scriptedCheck('x') } })
    Object.assign(health.explain().readiness, { budgetMs: 1 })
    expect(health.explain().readiness.budgetMs).toBe(500)
  })
})
