import { CHECK_INSTRUMENTS } from './check-instruments.ts'
import { HEALTH_INSTRUMENTS } from './health-instruments.ts'
import type { Instrument } from './instrument.ts'
import { PROCESS_INSTRUMENTS } from './process-instruments.ts'

/** Every instrument that is read at a scrape. Writers of both kinds, and docs/metrics.md, are made from this table. */
export const INSTRUMENTS: readonly Instrument[] = [
  ...HEALTH_INSTRUMENTS,
  ...CHECK_INSTRUMENTS,
  ...PROCESS_INSTRUMENTS,
]
