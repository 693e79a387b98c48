import type { Heal } from './heal.ts'

/**
 * What a check may answer. Nothing or `true`: usable. `false` or `{ usable: false }`: not usable, with a code from
 * the table in `docs/codes.md` or from the check's own `codes`. Any other code reads `ERROR`. Anything else counts as a failure of the check itself.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that returns nothing is usable, so void is one of its answers
export type CheckResult = void | boolean | { readonly usable: boolean; readonly code?: string }

/** Cheap numbers and words about a dependency, shown by the pool endpoint as they are. */
export type Gauges = Readonly<Record<string, string | number | boolean>>

/** How the library treats a check: its bounds, its weight, its hysteresis. */
export interface CheckPolicy {
  /** `false` keeps the check out of readiness and makes the verdict at worst degraded. @default true */
  readonly critical?: boolean
  /** Runs in a row that must fail before a usable check counts as failed. @default 1 */
  readonly fall?: number
  /** Runs in a row that must succeed before a failed check counts as usable again. The first success after the start always does. @default 1 */
  readonly rise?: number
  /** Bound on one run, in milliseconds; then its signal aborts. @default 2000 */
  readonly timeoutMs?: number
  /** Bound on the `connect` step before a run, in milliseconds; then its signal aborts. @default 5000 */
  readonly connectTimeoutMs?: number
  /** Never start a run sooner than this after the start of the last one, in milliseconds, whatever the poll rate. @default 0 */
  readonly minIntervalMs?: number
  /** What may bring it back when it keeps failing, while self-healing is on. */
  readonly heal?: Heal
}

/** A function that looks at one dependency. */
export interface Check extends CheckPolicy {
  /** 1 to 64 letters, digits and `_ . : -`; in `databases` the key takes its place. */
  readonly name: string
  /**
   * The codes that this check may publish, each with its text, beside those of the table in `docs/codes.md`. A result
   * `{ usable: false, code }` or an error whose `code` is one of them is shown with this text, also to anonymous callers. A
   * key is 1 to 64 of `A-Z 0-9 _`, a text 1 to 120 printable characters. @default none
   */
  readonly codes?: Readonly<Record<string, string>>
  /** What the dependency is: `postgresql`, `mysql`, `redis`. Shown by the pool endpoint. */
  readonly vendor?: string
  /**
   * It asks another service for its health, which may ask this one in turn. Answers to such a service leave it out, so
   * that no two wait for each other. Of a check in `databases` it says nothing: a database asks nobody. @default false
   */
  readonly peer?: boolean
  /**
   * Looks once. The signal aborts at the run's timeout: free what you hold and settle. No second run starts before
   * the first has settled. What you throw reaches the log with secrets masked, never an anonymous caller.
   */
  run(signal: AbortSignal): CheckResult | Promise<CheckResult>
  /**
   * Makes what a run needs (a connection) and returns at once when it is there. It has a bound of its own, so that a
   * cold connection slower than one run still gets made.
   */
  connect?(signal: AbortSignal): void | Promise<void>
  /** Gauges without I/O. One that throws, or a value that is no string, number or boolean, is left out. */
  stats?(): Gauges
  /** Frees what the check itself opened. */
  close?(): Promise<void>
}
