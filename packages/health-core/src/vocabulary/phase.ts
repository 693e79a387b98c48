/** Where the instance is in its life. Leaving (the last three) goes forward only. */
export type Phase = 'starting' | 'started' | 'failed' | 'draining' | 'terminating' | 'terminated'

/** What a drain tells the probes. */
export interface DrainInfo {
  /** Seconds in `Retry-After` and `retry_after_seconds`. @default 1 */
  readonly retryAfterSeconds?: number
  /** How many requests are in flight, probes not counted; asked at each answer. @default none in flight */
  readonly inFlight?: () => number
}

/** Moves a drain that has begun forward; calling a step twice changes nothing. */
export interface DrainSteps {
  terminating(): void
  terminated(): void
}
