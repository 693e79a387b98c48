/**
 * What a process says of itself beside its checks (a watchdog does): merged into each verdict when it is answered,
 * never shared with another process. At worst it makes a verdict degraded.
 */
export interface SelfReport {
  /** Names of what is not well; empty when all is. */
  causes(): readonly string[]
  /** Fields of its own in the body of `/health`. */
  fields(): Readonly<Record<string, unknown>>
  /** Goes up whenever one of the above may have changed. */
  version(): number
}

export const NOTHING_TO_REPORT: SelfReport = { causes: () => [], fields: () => ({}), version: () => 0 }
