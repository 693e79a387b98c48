/** Why a check is not usable: a public code and text, and a detail for the log and callers with a key. */
export interface Problem {
  /** A code of the table in `docs/codes.md` or of the check's own `codes`. */
  readonly code: string
  /** Fixed text of the code. */
  readonly text: string
  /** The driver's message, secrets masked, at most 300 characters. Never for anonymous callers. */
  readonly detail?: string
}

/** How one run of a check ended. */
export type Outcome =
  | { readonly kind: 'usable' }
  | { readonly kind: 'unusable' | 'erred' | 'timed_out'; readonly problem: Problem }
