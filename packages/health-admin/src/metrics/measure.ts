import type { Instrument } from './instrument.ts'
import { INSTRUMENTS } from './instruments.ts'
import type { Known } from './known.ts'
import { createLook } from './look.ts'
import type { Measured } from './read-options.ts'
import { createTally } from './tally.ts'

/** What a writer writes from. */
export interface Measures {
  /** Those that this health and this drain have. */
  readonly instruments: readonly Instrument[]
  /** The names of the checks that have runs. */
  readonly checks: readonly string[]
  look(): Promise<Known>
  /** Counts nothing more. */
  close(): void
}

/** Begins to count; `onRun` hears of every run, in seconds. */
export function measure(measured: Measured, onRun: (check: string, seconds: number) => void): Measures {
  const { health, drain, clock } = measured
  const { checks, watchdog } = health.explain()
  const names = checks.map(({ name }) => name)
  const tally = createTally(health, clock, onRun, (name) => names.includes(name))
  const isThere = { drain: drain !== undefined, watchdog: watchdog !== undefined }
  return {
    instruments: INSTRUMENTS.filter(({ needs }) => needs === undefined || isThere[needs]),
    checks: names,
    look: createLook({ ...measured, tallies: tally }),
    close: tally.close,
  }
}
