/** The states of the verdict's state machine. Phases and our own failures replace a state in answers, but are none. */
export const VERDICT_STATES = ['healthy', 'degraded', 'unhealthy'] as const

/** A state of the verdict's state machine. */
export type VerdictState = (typeof VERDICT_STATES)[number]

/** One transition of the verdict. */
export interface VerdictTransition {
  readonly from: VerdictState
  readonly to: VerdictState
  /** Names of the causes, comma-separated; on a return to healthy, of the causes that are gone. */
  readonly cause: string
  /** Milliseconds since 1970, by this host's clock. */
  readonly at: number
}
