/** The phase of the instance's life. The last three only move forward. */
export type Phase = 'starting' | 'started' | 'failed' | 'draining' | 'terminating' | 'terminated'

/** Information about a drain for the probe responses. */
export interface DrainInfo {
  /** Seconds in `Retry-After` and `retry_after_seconds`. @default 1 */
  readonly retryAfterSeconds?: number
  /** Returns the number of requests in flight, without probes; called for each response. @default 0 in flight */
  readonly inFlight?: () => number
}

/** Moves a drain to its next phase; calling a step twice changes nothing. */
export interface DrainSteps {
  terminating(): void
  terminated(): void
}
