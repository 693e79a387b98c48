import type { Outcome } from './outcome.ts'

/** What a check reads at one moment: the facts that every endpoint is decided from. */
export interface Reading {
  /** After hysteresis (`fall`, `rise`). */
  readonly status: 'usable' | 'unusable' | 'timed_out'
  /** Usable at least once since the start. */
  readonly wasUsable: boolean
  /** The last run alone, hysteresis left out; absent before the first one ended. */
  readonly latest?: Outcome
}
