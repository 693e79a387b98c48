export { type InstrumentOptions, instrumentHealth } from './metrics/instrument-health.ts'
