import type { Outcome } from './outcome.ts'

/** The state of a check at one moment; every endpoint is decided from readings. */
export interface Reading {
  /** After hysteresis (`fall`, `rise`). */
  readonly status: 'usable' | 'unusable' | 'timed_out'
  /** Whether the check has been usable at least once since the start. */
  readonly wasUsable: boolean
  /** The outcome of the last run, without hysteresis; absent before the first run has ended. */
  readonly latest?: Outcome
}
