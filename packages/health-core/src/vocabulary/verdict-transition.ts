/** What the verdict's state machine can be in. Phases and failures of our own take the place of these; they are none. */
export const VERDICT_STATES = ['healthy', 'degraded', 'unhealthy'] as const

export type VerdictState = (typeof VERDICT_STATES)[number]

/** One move of the verdict. */
export interface VerdictTransition {
  readonly from: VerdictState
  readonly to: VerdictState
  /** Names of what makes it so, or, on a return to healthy, of what had made it worse. */
  readonly cause: string
  /** Milliseconds since 1970, by this host's clock. */
  readonly at: number
}
