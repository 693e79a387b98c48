import { instrumentHealth } from '@baldur/health-admin/open-telemetry'
import { createHealth } from '@baldur/health-core'
import { metrics } from '@opentelemetry/api'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'

const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() }) // or one of OTLP
const meterProvider = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(meterProvider)

const health = createHealth({ checks: [{ name: 'app', run: () => true }] })
const stop = instrumentHealth({ health }) // after the provider is registered, or with it as `meterProvider`

await meterProvider.shutdown() // tells the last numbers
stop()
await health.close()
