import type { Heal } from './heal.ts'

/**
 * The result of a check run. Nothing or `true`: usable. `false` or `{ usable: false }`: not usable, with a code from
 * the table in `docs/codes.md` or from the check's own `codes`; any other code reads `ERROR`. Any other value counts as a failure of the check itself.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that returns nothing is usable, so void is one of its answers
export type CheckResult = void | boolean | { readonly usable: boolean; readonly code?: string }

/** Numbers, words and flags about a dependency; the pool endpoint shows them unchanged. */
export type Gauges = Readonly<Record<string, string | number | boolean>>

/** The policy of a check: its bounds, its weight and its hysteresis. */
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
  /** Shortest time from the start of one run to the start of the next, in milliseconds, whatever the poll rate. @default 0 */
  readonly minIntervalMs?: number
  /** How to heal the check when it keeps failing, while self-healing is on. @default none */
  readonly heal?: Heal
}

/** A check of one dependency: a name, a function `run`, and its policy. */
export interface Check extends CheckPolicy {
  /** 1 to 64 letters, digits and `_ . : -`; in `databases` the key takes its place. */
  readonly name: string
  /**
   * The codes that this check may publish, each with its text, beside those of the table in `docs/codes.md`. A result
   * `{ usable: false, code }` or an error whose `code` is one of them is shown with this text, also to anonymous callers. A
   * key is 1 to 64 of `A-Z 0-9 _`, a text 1 to 120 printable characters. @default none
   */
  readonly codes?: Readonly<Record<string, string>>
  /** Kind of the dependency, such as `postgresql`, `mysql` or `redis`; the pool endpoint shows it. @default 'unknown' */
  readonly vendor?: string
  /**
   * True when the check probes the health of another service, which may probe this one in turn. Answers to such a service
   * leave the check out, so that two services never wait for each other. Ignored for checks in `databases`. @default false
   */
  readonly peer?: boolean
  /**
   * Runs the check once. The signal aborts at the run's timeout: free resources and settle. No second run starts before
   * the first has settled. A thrown error is logged with secrets masked and never shown to anonymous callers.
   */
  run(signal: AbortSignal): CheckResult | Promise<CheckResult>
  /**
   * Opens what a run needs (a connection), or returns at once when it is open. It has its own bound, so that a cold
   * connection slower than one run still gets opened.
   */
  connect?(signal: AbortSignal): void | Promise<void>
  /** Returns gauges, without I/O. If it throws, no gauges are shown; values other than strings, numbers and booleans are left out. */
  stats?(): Gauges
  /** Frees what the check opened; called once, when the health closes. */
  close?(): Promise<void>
}
