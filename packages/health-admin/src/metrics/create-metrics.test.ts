import type { HealthOptions } from '@baldur/health-core'
import { AggregatorRegistry, Gauge, type OpenMetricsContentType, Registry } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import { type HealthUnderTest, healthUnderTest } from '../../../health-core/src/testing/health-under-test.ts'
import { scriptedCheck } from '../../../health-core/src/testing/scripted-check.ts'
import type { AdminDrain, AdminHealth } from '../options.ts'
import { createMetrics, type Metrics, type MetricsOptions } from './create-metrics.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Measured extends HealthUnderTest {
  readonly metrics: Metrics
  readonly warnings: string[]
  /** Scrapes while time moves on by at most `withinMs`. */
  scrape(withinMs?: number): Promise<string>
  /** The values of one metric by what stands in its braces. */
  read(name: string, withinMs?: number): Promise<Record<string, number>>
}

const quiet = { debug: () => undefined, info: () => undefined, error: () => undefined }

/** The samples of one metric in a text of Prometheus. */
function samplesIn(text: string, name: string): Record<string, number> {
  const found = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...found].map(([, labels = '', value]) => [labels, Number(value)]))
}

function measured(options: HealthOptions, more: Partial<MetricsOptions> = {}): Measured {
  const under = healthUnderTest(options)
  const warnings: string[] = []
  const logger = { ...quiet, warn: (line: string) => void warnings.push(line) }
  const metrics = createMetrics({ health: under.health, clock: under.clock, logger, ...more })
  closers.push(() => metrics.close(), under.health.close)
  const scrape: Measured['scrape'] = async (withinMs = 0) => {
    let text: string | undefined
    void metrics.render().then((rendered) => {
      text = rendered
    })
    await under.clock.advance(withinMs)
    if (text === undefined) throw new Error(`the scrape did not end within ${withinMs} ms`)
    return text
  }
  return {
    ...under,
    metrics,
    warnings,
    scrape,
    read: async (name, withinMs) => samplesIn(await scrape(withinMs), name),
  }
}

/** The one state that reads 1; throws where none or several do. */
function current(samples: Record<string, number>): string {
  const on = Object.entries(samples).filter(([, value]) => value === 1)
  expect(on).toHaveLength(1)
  expect(Object.values(samples).filter((value) => value !== 0 && value !== 1)).toEqual([])
  return on[0]?.[0] ?? ''
}

const refuse = (): never => {
  throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
}
const database = () => scriptedCheck('x', { vendor: 'postgresql' })

describe('a scrape', () => {
  test('shows verdict, readiness, phase and each check, 1 for the current state and 0 for every other', async () => {
    const mail = scriptedCheck('mail', { critical: false })
    const { scrape } = measured({ databases: { default: database() }, checks: [mail] })
    const text = await scrape()
    expect(samplesIn(text, 'baldur_verdict_status')).toEqual({
      'status="healthy"': 1,
      'status="degraded"': 0,
      'status="unhealthy"': 0,
      'status="starting"': 0,
      'status="failed"': 0,
      'status="draining"': 0,
      'status="error"': 0,
      'status="unavailable"': 0,
    })
    expect(samplesIn(text, 'baldur_readiness_status')).toEqual({
      'status="ready"': 1,
      'status="not_ready"': 0,
      'status="starting"': 0,
      'status="failed"': 0,
      'status="draining"': 0,
    })
    expect(samplesIn(text, 'baldur_phase')).toEqual({
      'phase="starting"': 0,
      'phase="started"': 1,
      'phase="failed"': 0,
      'phase="draining"': 0,
      'phase="terminating"': 0,
      'phase="terminated"': 0,
    })
    expect(samplesIn(text, 'baldur_check_status')).toEqual({
      'check="database_default",status="healthy"': 1,
      'check="database_default",status="unhealthy"': 0,
      'check="database_default",status="timed_out"': 0,
      'check="database_default",status="unknown"': 0,
      'check="mail",status="healthy"': 1,
      'check="mail",status="unhealthy"': 0,
      'check="mail",status="timed_out"': 0,
      'check="mail",status="unknown"': 0,
    })
    expect(samplesIn(text, 'baldur_check_info')).toEqual({
      'check="database_default",vendor="postgresql",critical="true"': 1,
      'check="mail",vendor="unknown",critical="false"': 1,
    })
  })

  test('asks as one prober does, however many metrics it collects and however many scrape at once', async () => {
    const main = database()
    const under = healthUnderTest({ databases: { default: main } })
    const asked = { verdict: 0, readiness: 0 }
    const health: AdminHealth = {
      ...under.health,
      verdict: () => {
        asked.verdict += 1
        return under.health.verdict()
      },
      readiness: () => {
        asked.readiness += 1
        return under.health.readiness()
      },
    }
    const metrics = createMetrics({ health, clock: under.clock })
    closers.push(() => metrics.close(), under.health.close)
    await Promise.all([metrics.render(), metrics.render(), metrics.render()])
    expect(asked).toEqual({ verdict: 1, readiness: 1 })
    await metrics.render()
    expect(asked).toEqual({ verdict: 2, readiness: 2 })
    expect(main.runs).toBe(1)
  })

  test('of a check that hangs ends within the verdict’s budget, and holds one run', async () => {
    const main = database()
    const { scrape, health, clock } = measured({
      databases: { default: main },
      verdict: { refresh: false },
    })
    await scrape()
    await clock.advance(20_000)
    main.behave('hang')
    const { budgetMs } = health.explain().verdict
    const text = await scrape(budgetMs)
    expect(current(samplesIn(text, 'baldur_check_status'))).toBe(
      'check="database_default",status="timed_out"',
    )
    expect(current(samplesIn(text, 'baldur_verdict_status'))).toBe('status="unhealthy"')
    expect(samplesIn(text, 'baldur_check_outstanding_seconds')).toEqual({ 'check="database_default"': 2 })
    expect(main.most).toBe(1)
  })

  test('leaves out what cannot be known in time, and says so once', async () => {
    const under = healthUnderTest({ databases: { default: database() } })
    let isHanging = true
    const health: AdminHealth = {
      ...under.health,
      verdict: () => (isHanging ? new Promise(() => undefined) : under.health.verdict()),
    }
    const warnings: string[] = []
    const logger = { ...quiet, warn: (line: string) => void warnings.push(line) }
    const metrics = createMetrics({ health, clock: under.clock, logger })
    closers.push(() => metrics.close(), under.health.close)
    const scrape = async (): Promise<string> => {
      const rendered = metrics.render()
      await under.clock.advance(3_000)
      return rendered
    }
    for (const _ of [1, 2]) {
      const text = await scrape()
      expect(text).not.toMatch(/^baldur_(?:verdict|check)_status/m)
      expect(current(samplesIn(text, 'baldur_readiness_status'))).toBe('status="ready"')
    }
    expect(warnings).toEqual(['metrics: the verdict cannot be read: no answer in 3000 ms'])
    isHanging = false
    expect(current(samplesIn(await scrape(), 'baldur_verdict_status'))).toBe('status="healthy"')
    isHanging = true
    await scrape()
    expect(warnings).toHaveLength(2)
    expect(under.clock.pending).toBeLessThan(3)
  })

  test('says once too that an answer comes, and always too late', async () => {
    const under = healthUnderTest({ databases: { default: database() } })
    const seen = await under.health.verdict()
    const health: AdminHealth = {
      ...under.health,
      verdict: () => new Promise((resolve) => void under.clock.after(4_000, () => resolve(seen))),
    }
    const warnings: string[] = []
    const logger = { ...quiet, warn: (line: string) => void warnings.push(line) }
    const metrics = createMetrics({ health, clock: under.clock, logger })
    closers.push(() => metrics.close(), under.health.close)
    for (const _ of [1, 2]) {
      const rendered = metrics.render()
      await under.clock.advance(5_000)
      expect(await rendered).not.toContain('baldur_verdict_status{')
    }
    expect(warnings).toHaveLength(1)
  })

  test.each(['verdict', 'readiness', 'snapshot'] as const)('survives that %s throws', async (name) => {
    const under = healthUnderTest({ databases: { default: database() } })
    const warnings: string[] = []
    const logger = { ...quiet, warn: (line: string) => void warnings.push(line) }
    const health = {
      ...under.health,
      [name]: () => {
        throw new Error('broken')
      },
    }
    const metrics = createMetrics({ health, clock: under.clock, logger })
    closers.push(() => metrics.close(), under.health.close)
    const text = await metrics.render()
    expect(text).toContain('baldur_self_healing_enabled')
    expect(text).not.toContain(name === 'snapshot' ? 'baldur_check_info{' : `baldur_${name}_status{`)
    expect(warnings).toEqual([expect.stringContaining('broken')])
  })

  test('survives gauges of a check and figures of a drain that throw', async () => {
    const broken = (): never => {
      throw new Error('no figures')
    }
    const drain = drainThat(broken)
    const main = scriptedCheck('x', { stats: broken })
    const { scrape, warnings } = measured({ databases: { default: main } }, { drain })
    const text = await scrape()
    expect(current(samplesIn(text, 'baldur_check_status'))).toContain('healthy')
    expect(text).toContain('# TYPE baldur_drain_in_flight_requests gauge')
    expect(text).not.toMatch(/^baldur_drain/m)
    expect(warnings).toEqual([
      expect.stringContaining('metrics: the drain cannot be read: Error: no figures'),
    ])
  })

  test('says who is measured', async () => {
    const { read } = measured(
      { databases: { default: database() }, namespace: 'orders' },
      { version: '1.2.3' },
    )
    expect(await read('baldur_instance_info')).toEqual({
      [`version="1.2.3",namespace="orders",node="${process.version}"`]: 1,
    })
  })
})

describe('the verdict', () => {
  test('is followed: its status, its moves, and when it moved last', async () => {
    const main = database()
    const { read, scrape, clock } = measured({ databases: { default: main } })
    expect(await read('baldur_verdict_last_transition_timestamp_seconds')).toEqual({})
    main.behave(refuse)
    await clock.advance(20_000)
    const at = clock.wall() / 1_000
    const text = await scrape()
    expect(current(samplesIn(text, 'baldur_verdict_status'))).toBe('status="unhealthy"')
    expect(current(samplesIn(text, 'baldur_readiness_status'))).toBe('status="not_ready"')
    expect(samplesIn(text, 'baldur_verdict_transitions_total')).toEqual({
      'from="healthy",to="degraded"': 0,
      'from="healthy",to="unhealthy"': 1,
      'from="degraded",to="healthy"': 0,
      'from="degraded",to="unhealthy"': 0,
      'from="unhealthy",to="healthy"': 0,
      'from="unhealthy",to="degraded"': 0,
    })
    const moved = (await read('baldur_verdict_last_transition_timestamp_seconds'))['']
    expect(moved).toBeGreaterThan(at - 20)
    expect(moved).toBeLessThanOrEqual(at)
    main.behave(() => true)
    await clock.advance(20_000)
    expect(await read('baldur_verdict_transitions_total')).toMatchObject({
      'from="healthy",to="unhealthy"': 1,
      'from="unhealthy",to="healthy"': 1,
    })
  })

  test('counts the answers to /health by where they came from', async () => {
    const { read, get, clock } = measured({ databases: { default: database() } })
    await get('')
    await get('')
    await clock.advance(2_500)
    await get('')
    await get('?nocache=true')
    expect(await read('baldur_health_answers_total')).toEqual({
      'tier="L1"': 1,
      'tier="L2"': 1,
      'tier="L3"': 1,
      'tier="BYPASSED"': 1,
    })
  })
})

describe('a check', () => {
  test('is counted by how its runs end, from when the metrics were made', async () => {
    const main = database()
    const { scrape, get, clock } = measured({
      databases: { default: main },
      verdict: { refresh: false },
      readiness: { cacheTtlMs: 0 },
    })
    const ends = [() => true, () => false, refuse, () => 'nonsense']
    for (const end of ends) {
      main.behave(end)
      await get('/ready')
      await clock.advance(20_000)
    }
    main.behave('hang')
    const asked = get('/ready', 600)
    await asked
    await clock.advance(2_000)
    main.succeed()
    await clock.advance(0)
    const at = clock.wall()
    main.behave(() => true)
    const text = await scrape()
    expect(samplesIn(text, 'baldur_check_runs_total')).toEqual({
      'check="database_default",outcome="usable"': 2,
      'check="database_default",outcome="unusable"': 1,
      'check="database_default",outcome="erred"': 2,
      'check="database_default",outcome="timed_out"': 1,
    })
    expect(samplesIn(text, 'baldur_check_timeouts_total')).toEqual({ 'check="database_default"': 1 })
    expect(samplesIn(text, 'baldur_check_last_run_timestamp_seconds')).toEqual({
      'check="database_default"': at / 1_000,
    })
    expect(samplesIn(text, 'baldur_check_duration_seconds_count')).toEqual({ 'check="database_default"': 6 })
    const buckets = samplesIn(text, 'baldur_check_duration_seconds_bucket')
    expect(buckets['le="0.001",check="database_default"']).toBe(5)
    expect(buckets['le="1",check="database_default"']).toBe(5)
    expect(buckets['le="2",check="database_default"']).toBe(6)
    expect(samplesIn(text, 'baldur_check_duration_seconds_sum')).toEqual({ 'check="database_default"': 2 })
  })

  test('is there before its first run, with nothing counted', async () => {
    const { scrape, health } = measured({ databases: { default: database() } })
    void health.setup(() => new Promise(() => undefined))
    const text = await scrape()
    expect(current(samplesIn(text, 'baldur_check_status'))).toBe('check="database_default",status="unknown"')
    expect(Object.values(samplesIn(text, 'baldur_check_runs_total'))).toEqual([0, 0, 0, 0])
    expect(samplesIn(text, 'baldur_check_duration_seconds_count')).toEqual({ 'check="database_default"': 0 })
    expect(samplesIn(text, 'baldur_check_last_run_timestamp_seconds')).toEqual({})
  })

  test('that ran before the metrics were made has its time, and no counted run', async () => {
    const main = database()
    const { health, get, clock } = healthUnderTest({ databases: { default: main } })
    await get('')
    await clock.advance(1_500)
    const metrics = createMetrics({ health, clock })
    closers.push(() => metrics.close(), health.close)
    const text = await metrics.render()
    expect(samplesIn(text, 'baldur_check_last_run_timestamp_seconds')).toEqual({
      'check="database_default"': (clock.wall() - 1_500) / 1_000,
    })
    expect(Object.values(samplesIn(text, 'baldur_check_runs_total'))).toEqual([0, 0, 0, 0])
  })

  test('keeps the time of its last run when the wall clock is set meanwhile', async () => {
    const under = healthUnderTest({ databases: { default: database() }, verdict: { refresh: false } })
    let setBy = 0
    const clock = { ...under.clock, wall: () => under.clock.wall() + setBy }
    const metrics = createMetrics({ health: under.health, clock })
    closers.push(() => metrics.close(), under.health.close)
    const read = async () => samplesIn(await metrics.render(), 'baldur_check_last_run_timestamp_seconds')
    const first = await read()
    expect(Object.values(first)).toEqual([under.clock.wall() / 1_000])
    setBy = 60_000
    await under.clock.advance(1_000)
    expect(await read()).toEqual(first)
  })

  test('of the app’s own answers appears when it begins, and has no runs', async () => {
    const { health, read, scrape, clock } = measured({ databases: { default: database() } })
    expect(Object.keys(await read('baldur_check_status')).join()).not.toContain('responses')
    const observe = health.observe({ fall: 1 })
    await clock.advance(3_000)
    expect(await read('baldur_check_status')).toMatchObject({ 'check="responses",status="healthy"': 1 })
    observe(503, {})
    const text = await scrape()
    expect(samplesIn(text, 'baldur_check_status')).toMatchObject({
      'check="responses",status="unhealthy"': 1,
      'check="responses",status="healthy"': 0,
      'check="database_default",status="healthy"': 1,
    })
    expect(text).not.toMatch(/^baldur_check_(?:runs|duration|info).*responses/m)
  })
})

describe('the phases', () => {
  test('take the place of the statuses while starting, failed and draining, and the checks read unknown', async () => {
    const { health, scrape } = measured({ databases: { default: database() } })
    let fail: (error: Error) => void = () => undefined
    const setup = health.setup(
      () =>
        new Promise<void>((_resolve, reject) => {
          fail = reject
        }),
    )
    for (const phase of ['starting', 'failed', 'draining']) {
      if (phase === 'failed') {
        fail(new Error('no'))
        await setup.catch(() => undefined)
      }
      if (phase === 'draining') health.beginDrain()
      const text = await scrape()
      expect(current(samplesIn(text, 'baldur_verdict_status'))).toBe(`status="${phase}"`)
      expect(current(samplesIn(text, 'baldur_readiness_status'))).toBe(`status="${phase}"`)
      expect(current(samplesIn(text, 'baldur_phase'))).toBe(`phase="${phase}"`)
      expect(current(samplesIn(text, 'baldur_check_status'))).toContain('status="unknown"')
    }
  })

  test('go on to the end of a drain', async () => {
    const { health, read } = measured({ databases: { default: database() } })
    const steps = health.beginDrain()
    steps.terminating()
    expect(current(await read('baldur_phase'))).toBe('phase="terminating"')
    steps.terminated()
    expect(current(await read('baldur_phase'))).toBe('phase="terminated"')
  })

  test('are those of the drain where it was given no health', async () => {
    const drain = { ...drainThat(), phase: 'draining' as const } satisfies AdminDrain
    const { read } = measured({ databases: { default: database() } }, { drain })
    expect(current(await read('baldur_phase'))).toBe('phase="draining"')
  })

  test('of a closed health still render', async () => {
    const { health, scrape } = measured({ databases: { default: database() } })
    await scrape()
    await health.close()
    const text = await scrape(3_000)
    expect(current(samplesIn(text, 'baldur_verdict_status'))).toBe('status="unhealthy"')
    expect(current(samplesIn(text, 'baldur_check_status'))).toContain('status="unhealthy"')
  })
})

function drainThat(
  stats: AdminDrain['stats'] = () => ({ inFlight: 3, connections: 5, refused: 7, aborted: 2 }),
): AdminDrain {
  const plan = {
    shutdownDelayMs: 1,
    readinessDelayMs: 0,
    requestTimeoutMs: 1,
    hookTimeoutMs: 1,
    gracePeriodMs: 1,
    preStopMs: 0,
  }
  return { phase: 'started', signal: new AbortController().signal, stats, plan, explain: () => '' }
}

describe('what else the process says of itself', () => {
  test('a drain: its requests and connections', async () => {
    const { scrape } = measured({ databases: { default: database() } }, { drain: drainThat() })
    expect([...(await scrape()).matchAll(/^baldur_drain.*$/gm)].map(String)).toEqual([
      'baldur_drain_in_flight_requests 3',
      'baldur_drain_connections 5',
      'baldur_drain_refused_requests_total 7',
      'baldur_drain_aborted_requests_total 2',
    ])
  })

  test('no drain and no watchdog: none of theirs', async () => {
    const { scrape } = measured({ databases: { default: database() } })
    expect(await scrape()).not.toMatch(/baldur_(?:drain|watchdog)/)
  })

  test('the watchdog: its status and its components, from its first look on', async () => {
    const { scrape, clock, health } = measured({
      databases: { default: database() },
      watchdog: { components: { queue: () => 'unknown' } },
    })
    expect(await scrape()).not.toMatch(/^baldur_watchdog/m)
    // its look at memory reads real files
    await expect
      .poll(async () => {
        await clock.advance(100)
        return health.snapshot().watchdog
      })
      .toBeDefined()
    const text = await scrape()
    expect(samplesIn(text, 'baldur_watchdog_status')).toEqual({
      'status="healthy"': 0,
      'status="degraded"': 1,
      'status="unhealthy"': 0,
    })
    expect(samplesIn(text, 'baldur_watchdog_component_status')).toMatchObject({
      'component="queue",status="healthy"': 0,
      'component="queue",status="degraded"': 0,
      'component="queue",status="unhealthy"': 0,
      'component="queue",status="unknown"': 1,
    })
    // in a drain it looks no more
    health.beginDrain()
    expect(await scrape()).not.toMatch(/^baldur_watchdog/m)
  })

  test('self-healing: its switch, and what became of tries', async () => {
    let isHealable = false
    const run = (): void => {
      if (!isHealable) throw new Error('no')
    }
    const heal = { run, afterFailures: 1, cooldownMs: 1_000, maxAttempts: 3 }
    const main = scriptedCheck('x', { heal })
    const { scrape, get, clock, health } = measured({
      databases: { default: main },
      checks: [scriptedCheck('mail')],
      readiness: { cacheTtlMs: 0 },
    })
    const fail = async (): Promise<void> => {
      await get('/ready')
      await clock.advance(2_000)
    }
    expect((await scrape()).match(/^baldur_self_healing.*$/gm)).toEqual([
      'baldur_self_healing_enabled 1',
      'baldur_self_healing_tries_total{check="database_default",result="succeeded"} 0',
      'baldur_self_healing_tries_total{check="database_default",result="failed"} 0',
      'baldur_self_healing_exhausted_total{check="database_default"} 0',
    ])
    main.behave(refuse)
    await fail()
    await fail()
    isHealable = true
    await fail()
    await fail()
    health.setSelfHealing(false)
    expect((await scrape()).match(/^baldur_self_healing.*$/gm)).toEqual([
      'baldur_self_healing_enabled 0',
      'baldur_self_healing_tries_total{check="database_default",result="succeeded"} 1',
      'baldur_self_healing_tries_total{check="database_default",result="failed"} 2',
      'baldur_self_healing_exhausted_total{check="database_default"} 1',
    ])
  })
})

describe('a registry of one’s own', () => {
  test('is collected whenever it is scraped, and has its own metrics too', async () => {
    const registry = new Registry()
    new Gauge({ name: 'orders_open', help: 'Open orders', registers: [registry] }).set(4)
    const { metrics } = measured({ databases: { default: database() } }, { registry })
    const text = await registry.metrics()
    expect(samplesIn(text, 'orders_open')).toEqual({ '': 4 })
    expect(current(samplesIn(text, 'baldur_verdict_status'))).toBe('status="healthy"')
    expect(await metrics.render()).toContain('orders_open 4')
    expect(metrics.contentType).toBe(registry.contentType)
  })

  test('is left with what was there when they are closed', async () => {
    const registry = new Registry()
    const mine = new Gauge({ name: 'orders_open', help: 'Open orders', registers: [registry] })
    const { metrics } = measured({ databases: { default: database() } }, { registry })
    await registry.metrics()
    metrics.close()
    expect(registry.getMetricsAsArray()).toEqual([mine])
    const another = measured({ databases: { default: database() } }, { registry })
    metrics.close()
    expect(await registry.metrics()).toContain('baldur_verdict_status{')
    another.metrics.close()
    expect(registry.getMetricsAsArray()).toEqual([mine])
  })

  test('of OpenMetrics is written in its way, and left clean too', async () => {
    const registry = new Registry<OpenMetricsContentType>()
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
    const { metrics } = measured({ databases: { default: database() } }, { registry })
    for (const _ of [1, 2]) {
      const text = await metrics.render()
      expect(text).toContain('# TYPE baldur_check_timeouts counter')
      expect(samplesIn(text, 'baldur_check_timeouts_total')).toEqual({ 'check="database_default"': 0 })
      expect(text.endsWith('# EOF\n')).toBe(true)
    }
    expect(metrics.contentType).toContain('openmetrics')
    metrics.close()
    expect(registry.getMetricsAsArray()).toEqual([])
  })

  test('of several workers adds up what can be added, and takes the latest of times', async () => {
    const [one, other] = [new Registry(), new Registry()]
    const mine = measured({ databases: { default: database() } }, { registry: one, drain: drainThat() })
    measured({ databases: { default: database() } }, { registry: other, drain: drainThat() })
    const all = AggregatorRegistry.aggregate([await one.getMetricsAsJSON(), await other.getMetricsAsJSON()])
    const text = await all.metrics()
    expect(samplesIn(text, 'baldur_verdict_status')).toMatchObject({ 'status="healthy"': 2 })
    expect(samplesIn(text, 'baldur_check_runs_total')).toMatchObject({
      'check="database_default",outcome="usable"': 2,
    })
    expect(samplesIn(text, 'baldur_drain_in_flight_requests')).toEqual({ '': 6 })
    expect(samplesIn(text, 'baldur_self_healing_enabled')).toEqual({ '': 2 })
    expect(samplesIn(text, 'baldur_check_last_run_timestamp_seconds')).toEqual({
      'check="database_default"': mine.clock.wall() / 1_000,
    })
  })

  test('that has a name already is refused, with the name, and gets nothing', () => {
    const registry = new Registry()
    const taken = ['baldur_verdict_status', 'baldur_check_duration_seconds']
    for (const name of taken) new Gauge({ name, help: 'mine', registers: [registry] })
    const { health } = healthUnderTest({ databases: { default: database() } })
    closers.push(health.close)
    expect(() => createMetrics({ health, registry })).toThrow(
      /registry: expected the name baldur_verdict_status to be free.*\n.*baldur_check_duration_seconds/,
    )
    expect(registry.getMetricsAsArray()).toHaveLength(2)
  })

  test('shares nothing with that of another health in the process', async () => {
    const one = measured({ databases: { default: database() } })
    const main = database()
    main.behave(refuse)
    const other = measured({ databases: { replica: main } })
    const [first, second] = [await one.scrape(), await other.scrape()]
    expect(current(samplesIn(first, 'baldur_verdict_status'))).toBe('status="healthy"')
    expect(current(samplesIn(second, 'baldur_verdict_status'))).toBe('status="unhealthy"')
    expect(first).not.toContain('database_replica')
    expect(samplesIn(first, 'baldur_check_duration_seconds_count')).toEqual({ 'check="database_default"': 1 })
  })
})

describe('closed metrics', () => {
  test('hear nothing more', () => {
    const under = healthUnderTest({ databases: { default: database() } })
    closers.push(under.health.close)
    let listeners = 0
    const health: AdminHealth = {
      ...under.health,
      on: (name, listener) => {
        listeners += 1
        const off = under.health.on(name, listener)
        return () => {
          listeners -= 1
          off()
        }
      },
    }
    const metrics = createMetrics({ health })
    expect(listeners).toBe(3)
    metrics.close()
    expect(listeners).toBe(0)
  })
})

describe('options', () => {
  test('that are wrong are all told at once', () => {
    const wrong = { health: {}, drain: 3, registry: {}, logger: 1, clock: {}, version: 1, registery: 1 }
    expect(() => createMetrics(wrong as unknown as MetricsOptions)).toThrow(
      /^7 settings are wrong:[\s\S]*registery: expected one of .*did you mean registry/,
    )
    expect(() => createMetrics(undefined as unknown as MetricsOptions)).toThrow('options: expected an object')
  })
})
