/** What an attempt at a queued request came to. */
export type AttemptOutcome =
  /** The runner answered. */
  | { readonly kind: 'answered'; readonly status: number; readonly needsRetry: boolean | undefined }
  /** A runner had it: the connection broke, or the answer took too long. What the head asked for, if one came. */
  | { readonly kind: 'failed'; readonly needsRetry: boolean | undefined }
  /** No runner had it: it did not begin. */
  | { readonly kind: 'not_begun' }
  /** No runner can be given it. */
  | { readonly kind: 'unsendable' }

interface Tries {
  /** 1 for the first. */
  readonly attempt: number
  /** How many times in a row before no runner had it. */
  readonly releasedTakes: number
  /** How many attempts there are at most. */
  readonly attempts: number
  /** The caller wants one attempt. */
  readonly noRetry: boolean
}

/** 503: the runner is ill and leaves. 504: what it asked is ill. Both may be over at the next attempt; other statuses are answers. */
const isPassing = (status: number): boolean => status === 503 || status === 504

/** Whether there is another attempt. The caller's word counts most, then the runner's, then the status. */
export function isRetried(
  outcome: AttemptOutcome,
  { attempt, releasedTakes, attempts, noRetry }: Tries,
): boolean {
  if (outcome.kind === 'unsendable') return false
  // what did not begin is no second run, whatever the caller said
  if (outcome.kind === 'not_begun') return releasedTakes + 1 < attempts
  if (noRetry || attempt >= attempts) return false
  return outcome.needsRetry ?? (outcome.kind === 'failed' || isPassing(outcome.status))
}
