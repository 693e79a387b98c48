// @module-tag promtool
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMetrics, type MetricsOptions } from '@baldur/health-admin'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { promtool } from 'health-testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRESETS } from '../../packages/health-drain/src/plan/defaults.ts'

const GUIDE = readFileSync(new URL('../../docs/guides/metrics.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'metrics-guide-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
const inFolder = (name: string): string => join(folder, name)

beforeAll(() => {
  const blocks = [...GUIDE.matchAll(/<!-- ([\w-]+\.yml) -->\n```yaml\n([\s\S]*?)```/g)]
  expect(blocks.map(([, name]) => name)).toEqual(['prometheus.yml', 'baldur-rules.yml', 'open-telemetry.yml'])
  for (const [, name = '', text = ''] of blocks) writeFileSync(inFolder(name), text)
  writeFileSync(inFolder('baldur-viewer-key'), 'the key')
  // it may have to be installed first
  promtool(['--version'])
}, 180_000)
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** One scrape of a real health. */
async function scrape(
  options: HealthOptions = {},
  before: (health: Health) => unknown = () => undefined,
  more: { readonly drain?: object } = {},
) {
  const quiet = () => undefined
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const health = createHealth({
    env: {},
    logger,
    watchdog: false,
    checks: [{ name: 'app', run: () => true }],
    ...options,
  })
  const metrics = createMetrics({ health, logger, ...more } as MetricsOptions)
  closers.push(() => metrics.close(), health.close)
  await before(health)
  return metrics.render()
}
const fail = () => Promise.reject(new Error('no'))
const hang = () => new Promise<never>(() => undefined)
/** A critical check that was usable once, and now gives no answer. */
const stalled = (timeoutFailDirection: 'ready' | 'not_ready') => {
  let runs = 0
  return scrape(
    {
      checks: [{ name: 'app', run: () => (runs++ === 0 ? true : hang()), timeoutMs: 50 }],
      readiness: { timeoutFailDirection, budgetMs: 50, cacheTtlMs: 0 },
      verdict: { refresh: false },
    },
    async (health) => {
      expect((await health.readiness()).status).toBe('ready')
      expect((await health.readiness()).checks).toEqual({ app: 'timed_out' })
    },
  )
}
const mail = (run: () => boolean | Promise<never>) => ({ name: 'mail', critical: false, run })
const SCRAPES = {
  healthy: () => scrape(),
  degraded: () =>
    scrape({
      checks: [
        { name: 'app', run: () => true },
        { name: 'mail', critical: false, run: () => false },
      ],
    }),
  unhealthy: () => scrape({ checks: [{ name: 'app', run: () => false }] }),
  'unhealthy for want of checks': () => scrape({ checks: [] }),
  'unhealthy for want of critical checks': () => scrape({ checks: [mail(() => true)] }),
  'unhealthy for want of critical checks, one of the others failing': () =>
    scrape({ checks: [mail(() => Promise.reject(new Error('no')))] }),
  'unhealthy by a stalled check': () => stalled('not_ready'),
  'unhealthy by a stalled check that leaves it ready': () => stalled('ready'),
  'unhealthy, its drain apart from its health': () =>
    scrape({ checks: [{ name: 'app', run: () => false }] }, () => undefined, {
      drain: { phase: 'draining', stats: () => ({ inFlight: 0, connections: 0, refused: 0, aborted: 0 }) },
    }),
  starting: () => scrape({}, (health) => void health.setup(() => new Promise(() => undefined))),
  failed: () => scrape({}, (health) => health.setup(fail).catch(() => undefined)),
  draining: () => scrape({}, (health) => health.beginDrain()),
}

interface Series {
  readonly series: string
  /** In the words of promtool: `1+0x9` is ten times 1, `_x9` nothing nine times. */
  readonly values: string
}
const TARGET = 'job="orders",instance="10.0.0.7:9090"'

/** What a target shows, scraped again and again without a change. */
const steady = (text: string, times: number, then = ''): Series[] => [
  ...[...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels, value]) => ({
    series: `${name}{${labels === undefined ? '' : `${labels},`}${TARGET}}`,
    values: `${value}+0x${times} ${then}`,
  })),
]
const up = (values: string): Series => ({ series: `up{${TARGET}}`, values })
/** Two hours of scrapes. */
const ALL = 480

/** The alerts of the guide that fire at some times, where these series are scraped every 15 s. */
function expectAlerts(
  series: readonly Series[],
  firing: Readonly<Record<string, readonly string[]>>,
  rules = 'baldur-rules.yml',
): void {
  const file = inFolder('scenario.yml')
  const tests = [
    {
      interval: '15s',
      input_series: series,
      promql_expr_test: Object.entries(firing).map(([time, alerts]) => ({
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: time,
        exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      })),
    },
  ]
  // JSON is YAML too
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests }))
  const { code, output } = promtool(['test', 'rules', file])
  expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')])
}

/** What the guide says of `BaldurSilent`. */
function silence() {
  const [line = '', forMinutes, graceMinutes] =
    / {8}for: (\d+)m # .*gracePeriodMs of (\d+) minutes\n/.exec(GUIDE) ?? []
  return { line, forMinutes: Number(forMinutes), graceMinutes: Number(graceMinutes) }
}

describe('the configuration of the guide', () => {
  test('of an exporter is one for Prometheus', () => {
    expect(promtool(['check', 'config', inFolder('open-telemetry.yml')])).toMatchObject({ code: 0 })
  })

  test('is one for Prometheus, rules included', () => {
    expect(promtool(['check', 'config', inFolder('prometheus.yml')])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/prometheus\.yml is valid[\s\S]*SUCCESS: 5 rules found/),
    })
    const rules = promtool(['check', 'rules', inFolder('baldur-rules.yml')])
    expect(rules).toMatchObject({ code: 0, output: expect.stringContaining('SUCCESS: 5 rules found') })
  })
})

describe('the alerts of the guide', () => {
  test.each([
    ['healthy', { '30s': [], '1h': [] }],
    ['unhealthy', { '30s': [], '2m': ['BaldurNotReady'] }],
    ['failed', { '30s': [], '2m': ['BaldurNotReady'] }],
    ['unhealthy by a stalled check', { '30s': [], '2m': ['BaldurNotReady'] }],
    ['degraded', { '10m': [], '16m': ['BaldurDegraded'] }],
    ['starting', { '2m': [], '1h': [] }],
    ['draining', { '2m': [], '1h': [] }],
    // ready all the same: nobody is woken, and what fails is told in the morning
    ['unhealthy for want of checks', { '2m': [], '1h': [] }],
    ['unhealthy for want of critical checks', { '2m': [], '1h': [] }],
    [
      'unhealthy for want of critical checks, one of the others failing',
      { '10m': [], '16m': ['BaldurDegraded'] },
    ],
    ['unhealthy by a stalled check that leaves it ready', { '10m': [], '16m': ['BaldurDegraded'] }],
    ['unhealthy, its drain apart from its health', { '2m': [], '1h': [] }],
  ] as const)('of an instance that is %s', async (state, firing) => {
    const text = await SCRAPES[state]()
    const [verdict = ''] = state.split(/\W/)
    expect(text).toContain(`baldur_verdict_status{status="${verdict}"} 1`)
    expectAlerts([up(`1+0x${ALL}`), ...steady(text, ALL)], firing)
  })

  test('of a roll-out: an instance that was unhealthy for half a minute drains and is gone', async () => {
    const [ill, leaving] = [await SCRAPES.unhealthy(), await SCRAPES.draining()]
    const [before, after] = [steady(ill, 1), steady(leaving, 3, `_x${ALL}`)]
    const series = before.map(({ series, values }) => ({
      series,
      values: `${values} ${after.find((one) => one.series === series)?.values ?? ''}`,
    }))
    const gone = `1+0x5 0+0x14 _x${ALL}`
    expectAlerts([up(gone), ...series], { '1m': [], '2m': [], '6m': [], '20m': [] })
  })

  test('of one that does not answer any more', () => {
    expectAlerts([up(`1+0x3 0+0x${ALL}`)], { '5m': [], '7m': ['BaldurSilent'] })
  })

  /** Gone from the first step of its drain on, back a minute after its end. */
  const drained = (minutes: number) => [up(`1+0x7 0+0x${4 * (minutes + 1) - 2} 1+0x${ALL}`)]

  test('of a drain: none as long as the rule fits its grace period, which is said beside it', () => {
    const { forMinutes, graceMinutes, line } = silence()
    const longest = Math.max(...Object.values(PRESETS).map(({ gracePeriodMs }) => gracePeriodMs))
    expect(graceMinutes * 60_000).toBeGreaterThan(longest)
    expectAlerts(drained(graceMinutes), { '4m': [], '7m': [], '30m': [] })
    expectAlerts(drained(8), { '4m': [], '10m': ['BaldurSilent'], '30m': [] })
    // a grace period of 10 minutes, and a rule for it
    const rules = readFileSync(inFolder('baldur-rules.yml'), 'utf8')
    writeFileSync(inFolder('patient-rules.yml'), rules.replace(line, line.replace(`${forMinutes}m`, '11m')))
    expectAlerts(drained(10), { '4m': [], '12m': [], '14m': [], '30m': [] }, 'patient-rules.yml')
    expect(GUIDE).toContain('With a `gracePeriodMs` of 10 minutes write `for: 11m`')
    const dead = [up(`1+0x7 0+0x${ALL}`)]
    expectAlerts(dead, { '11m': [], '14m': ['BaldurSilent'] }, 'patient-rules.yml')
  })

  test('of a drain that is served through: none, however long it is', async () => {
    const leaving = steady(await SCRAPES.draining(), 199, `_x${ALL}`)
    expectAlerts([up(`1+0x199 0+0x3 1+0x${ALL}`), ...leaving], { '30m': [], '52m': [], '60m': [] })
  })

  test.each(['error', 'unavailable'])('of one that is ready, its verdict %s by a fault of ours', (status) => {
    const one = (name: string, values: string) => ({ series: `${name},${TARGET}}`, values })
    const verdict = one(`baldur_verdict_status{status="${status}"`, `1+0x${ALL}`)
    const ready = one('baldur_readiness_status{status="ready"', `1+0x${ALL}`)
    expectAlerts([verdict, ready], { '10m': [], '16m': ['BaldurDegraded'] })
  })

  test('of one whose verdict comes and goes', () => {
    const moves = (values: string): Series => ({
      series: `baldur_verdict_transitions_total{from="healthy",to="unhealthy",${TARGET}}`,
      values,
    })
    expectAlerts([moves(`0+0x3 1+0x3 2+0x3 3+0x${ALL}`)], { '5m': [], '25m': [] })
    // each two minutes
    const often = Array.from({ length: 40 }, (_, move) => `${move}+0x7`).join(' ')
    expectAlerts([moves(often)], { '8m': [], '25m': ['BaldurFlapping'] })
  })

  test.each([
    ['fast', 0.1, []],
    ['slow', 0.5, ['BaldurCheckSlow']],
  ])('of one with a check that is %s', (_how, seconds, alerts) => {
    const series = [0.05, 0.1, 0.25, 0.5, '+Inf'].map((le) => ({
      series: `baldur_check_duration_seconds_bucket{check="app",le="${le}",${TARGET}}`,
      values: `0+${Number(le === '+Inf' ? 9 : le) >= seconds ? 1 : 0}x${ALL}`,
    }))
    expectAlerts(series, { '5m': [], '25m': alerts })
  })
})

test('the number of series that the guide names is the one that is shown', async () => {
  const text = GUIDE.replaceAll('\n', ' ')
  const told =
    /has (\d+) series\. A check adds (\d+), and (\d+) more if it can be healed\. The watchdog adds (\d+), and (\d+) per component\. A drain adds (\d+)/
  const [each, check, healed, watchdog, component, drain] = (told.exec(text) ?? []).slice(1).map(Number)
  const countOf = (lines: string): number => lines.split('\n').filter((line) => /^\w/.test(line)).length
  const health = createHealth({
    env: {},
    checks: [
      { name: 'a', run: () => false, heal: { run: () => undefined } },
      { name: 'b', run: () => true },
    ],
    logger: { debug: () => 0, info: () => 0, warn: () => 0, error: () => 0 },
  })
  const stats = () => ({ inFlight: 0, connections: 0, refused: 0, aborted: 0 })
  const metrics = createMetrics({ health, drain: { stats } as never })
  closers.push(() => metrics.close(), health.close)
  await metrics.render()
  await expect.poll(() => health.snapshot().watchdog).toBeDefined()
  const components = Object.keys(health.snapshot().watchdog?.components ?? {}).length
  const all = [each, check, check, healed, watchdog, (component ?? 0) * components, drain]
  expect(components).toBeGreaterThan(2)
  expect(countOf(await metrics.render())).toBe(all.reduce((sum: number, one) => sum + Number(one), 0))
})
