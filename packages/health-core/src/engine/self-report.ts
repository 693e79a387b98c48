/**
 * A process's report on itself beside its checks (from a watchdog): merged into each verdict when it is rendered,
 * never shared with another process. At worst it degrades the verdict.
 */
export interface SelfReport {
  /** Names of unhealthy components; empty when all are healthy. */
  causes(): readonly string[]
  /** Additional fields in the body of `/health`. */
  fields(): Readonly<Record<string, unknown>>
  /** Increases whenever one of the above may have changed. */
  version(): number
}

export const NOTHING_TO_REPORT: SelfReport = { causes: () => [], fields: () => ({}), version: () => 0 }
