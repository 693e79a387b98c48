import { metrics } from '@opentelemetry/api'
import {
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  MetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider as OldestMeterProvider,
  PeriodicExportingMetricReader,
} from 'opentelemetry-sdk-metrics-1'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import { healthUnderTest } from '../../../health-core/src/testing/health-under-test.ts'
import { scriptedCheck } from '../../../health-core/src/testing/scripted-check.ts'
import type { AdminHealth } from '../options.ts'
import { CHECK_DURATION } from './check-instruments.ts'
import { createMetrics } from './create-metrics.ts'
import { type InstrumentOptions, instrumentHealth } from './instrument-health.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A reader that collects when a test says so. */
class ManualReader extends MetricReader {
  protected override onForceFlush = async (): Promise<void> => undefined
  protected override onShutdown = async (): Promise<void> => undefined

  async read(): Promise<readonly MetricData[]> {
    const { resourceMetrics, errors } = await this.collect()
    expect(errors).toEqual([])
    return resourceMetrics.scopeMetrics.flatMap((scope) => {
      expect(scope.scope.name).toBe('@baldur/health-admin')
      return scope.metrics
    })
  }
}

function provider() {
  const reader = new ManualReader()
  const meterProvider = new MeterProvider({ readers: [reader] })
  closers.push(() => meterProvider.shutdown())
  return { reader, meterProvider }
}

const line = (name: string, labels: object): string =>
  `${name}${JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))}`

/** Names as OpenTelemetry's exporters for Prometheus make them: dots and units become parts, a sum a total. */
function translated(data: readonly MetricData[]): Record<string, number> {
  const series: [string, number][] = data.flatMap((metric) => {
    const { descriptor, dataPoints } = metric
    const unit = descriptor.unit === 's' ? '_seconds' : ''
    const total = metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? '_total' : ''
    const name = `${descriptor.name.replaceAll('.', '_')}${unit}${total}`
    return dataPoints.flatMap(({ value, attributes }): [string, number][] => {
      if (typeof value === 'number') return [[line(name, attributes), value]]
      const { buckets, count, sum } = value as Histogram
      let below = 0
      return [
        ...[...buckets.boundaries, '+Inf'].map((le, index): [string, number] => {
          below += buckets.counts[index] ?? 0
          return [line(`${name}_bucket`, { ...attributes, le: String(le) }), below]
        }),
        [line(`${name}_count`, attributes), count],
        [line(`${name}_sum`, attributes), sum ?? 0],
      ]
    })
  })
  return Object.fromEntries(series)
}

async function scraped(registry: Registry): Promise<Record<string, number>> {
  const all = await registry.getMetricsAsJSON()
  return Object.fromEntries(
    all.flatMap(({ name, values }) =>
      values.map((sample) => {
        const { metricName = name } = sample as { metricName?: string }
        const labels = Object.entries(sample.labels).map(([key, value]) => [key, String(value)])
        return [line(metricName, Object.fromEntries(labels)), sample.value]
      }),
    ),
  )
}

const database = () => scriptedCheck('x', { vendor: 'postgresql' })
const refuse = (): never => {
  throw new Error('refused')
}

describe('through OpenTelemetry', () => {
  test('one health has the same numbers as through Prometheus', async () => {
    const main = scriptedCheck('x', { heal: { run: () => undefined, afterFailures: 1 } })
    const mail = scriptedCheck('mail', { critical: false })
    const { health, clock, get } = healthUnderTest({
      databases: { default: main },
      checks: [mail],
      verdict: { refresh: false },
      watchdog: { components: { queue: () => 'degraded' } },
    })
    const { reader, meterProvider } = provider()
    const registry = new Registry()
    const drain = {
      phase: 'started' as const,
      stats: () => ({ inFlight: 3, connections: 5, refused: 7, aborted: 2 }),
    } as unknown as NonNullable<InstrumentOptions['drain']>
    const common = { health, drain, clock, version: '1.2.3' }
    const prometheus = createMetrics({ ...common, registry })
    const stop = instrumentHealth({ ...common, meterProvider })
    closers.push(stop, () => prometheus.close(), health.close)
    await get('', 1_000)
    main.behave(refuse)
    await clock.advance(6_000)
    await get('/ready')
    main.behave('hang')
    await clock.advance(6_000)
    await get('/ready', 600)
    await clock.advance(3_000)
    main.succeed()
    main.behave(() => true)
    await expect
      .poll(async () => {
        await clock.advance(100)
        return health.snapshot().watchdog
      })
      .toBeDefined()
    for (const step of ['started', 'draining']) {
      if (step === 'draining') health.beginDrain()
      const [told, read] = [await reader.read(), await scraped(registry)]
      const numbers = translated(told)
      // in a drain the watchdog looks no more
      const isGone = (name: string) => step === 'draining' && name.startsWith('baldur_watchdog')
      const gone = Object.entries(numbers).filter(([name]) => isGone(name))
      expect(gone.filter(([, value]) => value !== 0)).toEqual([])
      expect(gone.length > 0).toBe(step === 'draining')
      const there = Object.entries(numbers).filter(([name]) => !isGone(name))
      expect(Object.fromEntries(there)).toEqual(read)
      expect(Object.keys(numbers).length).toBeGreaterThan(90)
      expect(numbers[line('baldur_phase', { phase: step })]).toBe(1)
      const runs = { check: 'database_default', outcome: 'timed_out' }
      expect(numbers[line('baldur_check_runs_total', runs)]).toBe(1)
      expect(numbers[line('baldur_check_duration_seconds_count', { check: 'database_default' })]).toBe(3)
    }
  })

  test('names have dots and units stand beside them', async () => {
    const { health, clock, get } = healthUnderTest({ databases: { default: database() } })
    const { reader, meterProvider } = provider()
    closers.push(instrumentHealth({ health, clock, meterProvider }), health.close)
    await get('')
    const told = (await reader.read()).map(({ descriptor: { name, unit } }) => `${name} ${unit}`)
    expect(told).toContain('baldur.check.duration s')
    expect(told).toContain('baldur.check.last_run_timestamp s')
    expect(told).toContain('baldur.check.runs {run}')
    expect(told).toContain('baldur.verdict.status ')
    expect(told.filter((one) => !/^baldur(?:\.[a-z]+(?:_[a-z]+)*)+ (?:s|\{[a-z]+\})?$/.test(one))).toEqual([])
  })

  test('the oldest SDK that heeds the buckets, 1.18.0, has them', async () => {
    const { health, clock, get } = healthUnderTest({ databases: { default: database() } })
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const meterProvider = new OldestMeterProvider()
    meterProvider.addMetricReader(
      new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 }),
    )
    closers.push(() => meterProvider.shutdown())
    closers.push(instrumentHealth({ health, clock, meterProvider }), health.close)
    await get('')
    await meterProvider.forceFlush()
    const all = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
    const found = all.find(({ descriptor }) => descriptor.name === 'baldur.check.duration')
    const value = found?.dataPoints[0]?.value as Histogram | undefined
    expect([value?.buckets.boundaries, value?.count]).toEqual([CHECK_DURATION.buckets, 1])
  })

  test('a collection asks once, and counters go on where they were', async () => {
    const under = healthUnderTest({ databases: { default: database() } })
    let asked = 0
    const health: AdminHealth = {
      ...under.health,
      verdict: () => {
        asked += 1
        return under.health.verdict()
      },
    }
    const { reader, meterProvider } = provider()
    closers.push(instrumentHealth({ health, clock: under.clock, meterProvider }), under.health.close)
    const runs = line('baldur_check_runs_total', { check: 'database_default', outcome: 'usable' })
    expect(translated(await reader.read())[runs]).toBe(1)
    expect(asked).toBe(1)
    await under.clock.advance(20_000)
    const later = translated(await reader.read())[runs] ?? 0
    expect(later).toBeGreaterThan(1)
    expect(asked).toBe(2)
  })

  test('a state that is no longer known reads 0 in all its series, though the SDK would repeat it', async () => {
    const under = healthUnderTest({ databases: { default: database() } })
    let isHanging = false
    const health: AdminHealth = {
      ...under.health,
      verdict: () => (isHanging ? new Promise(() => undefined) : under.health.verdict()),
    }
    const { reader, meterProvider } = provider()
    const quiet = () => undefined
    const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
    closers.push(instrumentHealth({ health, logger, clock: under.clock, meterProvider }), under.health.close)
    const healthy = line('baldur_verdict_status', { status: 'healthy' })
    const check = line('baldur_check_status', { check: 'database_default', status: 'healthy' })
    const first = translated(await reader.read())
    expect([first[healthy], first[check]]).toEqual([1, 1])
    isHanging = true
    const read = reader.read()
    await under.clock.advance(3_000)
    const then = translated(await read)
    expect([then[healthy], then[check]]).toEqual([0, 0])
    isHanging = false
    const again = translated(await reader.read())
    expect([again[healthy], again[check]]).toEqual([1, 1])
  })

  test('stopped it asks and counts no more', async () => {
    const under = healthUnderTest({ databases: { default: database() } })
    let asked = 0
    let listeners = 0
    const health: AdminHealth = {
      ...under.health,
      verdict: () => {
        asked += 1
        return under.health.verdict()
      },
      on: (name, listener) => {
        listeners += 1
        const off = under.health.on(name, listener)
        return () => {
          listeners -= 1
          off()
        }
      },
    }
    const { reader, meterProvider } = provider()
    const stop = instrumentHealth({ health, clock: under.clock, meterProvider })
    closers.push(under.health.close)
    await reader.read()
    expect([asked, listeners]).toEqual([1, 3])
    stop()
    await reader.read()
    expect([asked, listeners]).toEqual([1, 0])
  })

  test('takes the provider that is registered for all', async () => {
    const { health, clock } = healthUnderTest({ databases: { default: database() } })
    const { reader, meterProvider } = provider()
    metrics.setGlobalMeterProvider(meterProvider)
    closers.push(() => metrics.disable())
    closers.push(instrumentHealth({ health, clock }), health.close)
    expect((await reader.read()).length).toBeGreaterThan(10)
  })

  test('without an SDK does nothing, and hurts nobody', async () => {
    const { health, clock, get } = healthUnderTest({ databases: { default: database() } })
    closers.push(instrumentHealth({ health, clock }), health.close)
    expect((await get('')).status).toBe(200)
  })

  test('wrong options are all told at once', () => {
    const wrong = { health: {}, meterProvider: {}, registry: new Registry() }
    expect(() => instrumentHealth(wrong as unknown as InstrumentOptions)).toThrow(
      /^3 settings are wrong:[\s\S]*registry: expected one of[\s\S]*meterProvider: expected a MeterProvider/,
    )
  })
})
