import type { Known } from './known.ts'

/** One value under its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What every instrument says of itself. */
interface Described {
  /** Parts between dots, as OpenTelemetry writes them, without the prefix. */
  readonly name: string
  /** Of UCUM, or in braces what is counted; absent where a value is 0 or 1. */
  readonly unit?: 's' | `{${string}}`
  readonly help: string
  /** What each label can be: the words themselves, or where they come from. Nothing of a request is among them. */
  readonly labels: Readonly<Record<string, readonly string[] | string>>
}

/** Read at each scrape from what is known. */
export interface Instrument extends Described {
  /** `state`: 1 for the current state and 0 for every other. */
  readonly kind: 'gauge' | 'state' | 'counter'
  /** Not made where there is no such thing. */
  readonly needs?: 'drain' | 'watchdog'
  read(known: Known): readonly Sample[]
}

/** Recorded with each run. */
export interface Distribution extends Described {
  readonly kind: 'histogram'
  /** Upper bounds, in the unit. */
  readonly buckets: readonly number[]
}
