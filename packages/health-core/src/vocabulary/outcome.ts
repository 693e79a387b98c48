/** Why something is not usable: what anyone may read, and what only the log and a caller with a key may. */
export interface Problem {
  readonly code: string
  /** Fixed text that belongs to the code. */
  readonly text: string
  /** The driver's message, secrets masked, at most 300 characters. Never for anonymous callers. */
  readonly detail?: string
}

/** How one run of a check ended. */
export type Outcome =
  | { readonly kind: 'usable' }
  | { readonly kind: 'unusable' | 'erred' | 'timed_out'; readonly problem: Problem }
