import type { Problems } from '@baldur/health-core/internal'
import { hasFunctions } from '@baldur/health-core/internal'
import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client'
import { CHECK_DURATION } from './check-instruments.ts'
import type { Instrument } from './instrument.ts'
import { INSTRUMENTS } from './instruments.ts'
import type { Known } from './known.ts'
import { measure } from './measure.ts'
import { prometheusName } from './name.ts'
import { type MeasureOptions, readMeasureOptions } from './read-options.ts'

/** What `createMetrics` takes. `undefined` means absent; unknown keys are refused. */
export interface MetricsOptions extends MeasureOptions {
  /** Where they are registered; whenever it is scraped they are collected. @default a registry of their own */
  readonly registry?: Registry | Registry<OpenMetricsContentType> | undefined
}

/** The metrics of one health. */
export interface Metrics {
  /** Of what `render` gives. */
  readonly contentType: string
  /** The whole registry as Prometheus reads it. Ours never make it reject. */
  render(): Promise<string>
  /** Takes them, and nothing else, off the registry, and counts no more. Calling it again changes nothing. */
  close(): void
}

const NAMES = [...INSTRUMENTS, CHECK_DURATION].map(prometheusName)

function readRegistry({ registry }: MetricsOptions, problems: Problems): void {
  if (registry === undefined) return
  if (!hasFunctions(registry, ['metrics', 'registerMetric', 'getSingleMetric', 'removeSingleMetric'])) {
    problems.add('registry', 'a Registry of prom-client', registry)
    return
  }
  for (const name of NAMES.filter((name) => registry.getSingleMetric(name) !== undefined)) {
    problems.addText('registry', `the name ${name} to be free`, 'a metric that has it')
  }
}

/** One metric of prom-client that is filled when it is collected. */
function collected(instrument: Instrument, look: () => Promise<Known>): Gauge | Counter {
  const { kind, help, labels, read } = instrument
  const shape = {
    name: prometheusName(instrument),
    help,
    labelNames: Object.keys(labels),
    registers: [],
    // where a cluster's workers are put together: times cannot be added
    aggregator: instrument.unit === 's' ? ('max' as const) : ('sum' as const),
  }
  const collect = async (): Promise<void> => {
    const samples = read(await look())
    metric.reset()
    // one without labels is reset to 0, where nothing may be known
    if (shape.labelNames.length === 0) metric.remove()
    for (const { labels, value } of samples) add(labels, value)
  }
  let metric: Gauge | Counter
  let add: (labels: Readonly<Record<string, string>>, value: number) => void
  if (kind === 'counter') {
    const counter = new Counter({ ...shape, collect })
    metric = counter
    add = (labels, value) => counter.inc(labels, value)
  } else {
    const gauge = new Gauge({ ...shape, collect })
    metric = gauge
    add = (labels, value) => gauge.set(labels, value)
  }
  return metric
}

/** Makes the metrics of a health. Throws a `HealthConfigError` that lists every problem with options, taken names too. */
export function createMetrics(options: MetricsOptions): Metrics {
  const measured = readMeasureOptions(options, ['registry'], readRegistry)
  const registry = options.registry ?? new Registry()
  const { help, labels, buckets } = CHECK_DURATION
  const measures = measure(measured, (check, seconds) => durations.observe({ check }, seconds))
  const durations = new Histogram({
    name: prometheusName(CHECK_DURATION),
    help,
    labelNames: Object.keys(labels),
    // prom-client freezes what it is given
    buckets: [...buckets],
    registers: [],
    // runs that this scrape asks for are in it
    collect: async () => void (await measures.look()),
  })
  for (const check of measures.checks) durations.zero({ check })
  const metrics = [...measures.instruments.map((one) => collected(one, measures.look)), durations]
  // by the names of now: a registry of OpenMetrics cuts those of counters when it is scraped
  const named = metrics.map((metric) => [Reflect.get(metric, 'name') as string, metric] as const)
  for (const metric of metrics) registry.registerMetric(metric)

  return {
    get contentType() {
      return registry.contentType
    },
    render: () => registry.metrics(),
    close: () => {
      measures.close()
      for (const [name, metric] of named) {
        if (registry.getSingleMetric(name) === metric) registry.removeSingleMetric(name)
      }
    },
  }
}
