import { hasFunctions } from '@baldur/health-core/internal'
import {
  type BatchObservableResult,
  type Meter,
  type MeterProvider,
  metrics,
  type Observable,
} from '@opentelemetry/api'
import { CHECK_DURATION } from './check-instruments.ts'
import type { Instrument, Sample } from './instrument.ts'
import { measure } from './measure.ts'
import { openTelemetryName } from './name.ts'
import { type MeasureOptions, readMeasureOptions } from './read-options.ts'

/** What `instrumentHealth` takes. `undefined` means absent; unknown keys are refused. */
export interface InstrumentOptions extends MeasureOptions {
  /** Whose meter makes the instruments. @default the global one, as it is registered by now */
  readonly meterProvider?: MeterProvider | undefined
}

const SCOPE = '@baldur/health-admin'

function make(meter: Meter, instrument: Instrument): Observable {
  const { kind, help: description, unit } = instrument
  const options = unit === undefined ? { description } : { description, unit }
  const name = openTelemetryName(instrument)
  return kind === 'counter'
    ? meter.createObservableCounter(name, options)
    : meter.createObservableGauge(name, options)
}

/** The samples, and a 0 for each state that was told before and is not known now: the SDK would go on with what it was. */
function createSeries({ kind, read }: Instrument): (known: Parameters<typeof read>[0]) => readonly Sample[] {
  const told = new Map<string, Sample['labels']>()
  return (known) => {
    const samples = read(known)
    if (kind !== 'state') return samples
    const gone = new Map(told)
    for (const { labels } of samples) {
      const key = JSON.stringify(labels)
      told.set(key, labels)
      gone.delete(key)
    }
    return [...samples, ...[...gone.values()].map((labels) => ({ labels, value: 0 }))]
  }
}

/**
 * Makes the instruments of `createMetrics` through OpenTelemetry's API; they are observed when the SDK collects. Returns what
 * stops it. Throws a `HealthConfigError` that lists every problem with options.
 */
export function instrumentHealth(options: InstrumentOptions): () => void {
  const measured = readMeasureOptions(options, ['meterProvider'], ({ meterProvider }, problems) => {
    if (meterProvider !== undefined && !hasFunctions(meterProvider, ['getMeter'])) {
      problems.add('meterProvider', 'a MeterProvider of OpenTelemetry', meterProvider)
    }
  })
  const meter = (options.meterProvider ?? metrics.getMeterProvider()).getMeter(SCOPE)
  const { help: description, unit = '', buckets } = CHECK_DURATION
  const durations = meter.createHistogram(openTelemetryName(CHECK_DURATION), {
    description,
    unit,
    advice: { explicitBucketBoundaries: [...buckets] },
  })
  const measures = measure(measured, (check, seconds) => durations.record(seconds, { check }))
  const observed = measures.instruments.map((one) => ({
    observable: make(meter, one),
    samplesOf: createSeries(one),
  }))
  const observables = observed.map(({ observable }) => observable)
  const observe = async (result: BatchObservableResult): Promise<void> => {
    const known = await measures.look()
    for (const { observable, samplesOf } of observed) {
      for (const { labels, value } of samplesOf(known)) result.observe(observable, value, labels)
    }
  }
  meter.addBatchObservableCallback(observe, observables)
  return () => {
    measures.close()
    meter.removeBatchObservableCallback(observe, observables)
  }
}
