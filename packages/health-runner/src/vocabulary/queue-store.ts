/** A request that was accepted, as it is kept until it has a result. */
export interface QueuedRequest {
  /** 32 hexadecimal digits: 128 random bits. */
  readonly id: string
  readonly method: string
  /** Path and query below `/queue`. */
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** On the wall clock, in milliseconds. */
  readonly acceptedAt: number
  /** It is given up if it has not begun by then, on the wall clock, in milliseconds. */
  readonly startBy: number | undefined
  /** The caller wants one attempt. */
  readonly noRetry: boolean
  readonly idempotencyKey: string | undefined
  /** Of method, target, body, and a hash of what says who asks: a key that comes again has to come with the same. */
  readonly fingerprint: string
}

/** What is recorded for a request. */
export interface QueueAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The first recorded one never changes. */
export interface QueueResult extends QueueAnswer {
  /** How many times the request was begun. */
  readonly attempts: number
}

export type QueueStatus =
  /** So many that were accepted before it wait too; 0 for the next one. */
  | { readonly status: 'IN_QUEUE'; readonly position: number }
  | { readonly status: 'IN_PROGRESS' }
  | { readonly status: 'COMPLETED' }

/** One attempt at a request, which nobody else makes meanwhile. */
export interface QueueAttempt {
  readonly request: QueuedRequest
  /** 1 for the first. */
  readonly attempt: number
  /** How many times in a row it was taken before and no runner could be given it. */
  readonly releasedTakes: number
  /** Nothing else is due at the moment, as far as the store knows. */
  readonly isLast: boolean
}

export type AddOutcome =
  | { readonly kind: 'added'; readonly id: string }
  /** The same request came before under this key. */
  | { readonly kind: 'known'; readonly id: string }
  /** Another request came before under this key. */
  | { readonly kind: 'conflict' }
  /** The line, or the room for requests and for results that nobody has fetched, is full. */
  | { readonly kind: 'full' }

export type CancelOutcome = 'cancelled' | 'completed' | 'unknown'

export interface QueueCounts {
  /** Waiting for their first or a further attempt. */
  readonly waiting: number
  readonly running: number
  readonly completed: number
  /** Of the completed ones, those whose result nobody has fetched. */
  readonly unfetched: number
  /** Of all requests so far, those that were begun more than once. */
  readonly retried: number
}

/**
 * Where accepted requests and their results are kept. A result stays for its time; only one that was fetched goes before, where its room is needed,
 * the oldest first, and its idempotency key with it. Everything may take its time; a rejection means that the store cannot be reached.
 */
export interface QueueStore {
  /** For the line that is said at start: `in memory`. */
  readonly kind: string
  /** Whether an accepted request outlives this process. */
  readonly isDurable: boolean
  add(request: QueuedRequest): Promise<AddOutcome>
  /** The next attempt that is due, in order of acceptance; undefined when none is, or while there is no room for what it may bring. */
  take(): Promise<QueueAttempt | undefined>
  /** The attempt brought nothing; the next one is due in so many milliseconds. One that no runner was given does not count. */
  retry(attempt: QueueAttempt, delayMs: number, hasBegun: boolean): Promise<void>
  /** Records a result. False when there was one already, or the request is not known any more. */
  finish(id: string, result: QueueResult): Promise<boolean>
  /** Records this answer for one that has none; it counts as fetched. */
  cancel(id: string, answer: QueueAnswer): Promise<CancelOutcome>
  /** Records this answer for all that have not begun by their start deadline, and names them. `take` gives none of these. */
  expire(answer: QueueAnswer): Promise<readonly string[]>
  status(id: string): Promise<QueueStatus | undefined>
  result(id: string): Promise<QueueResult | undefined>
  /** Its result was given whole to whoever asked. Says nothing of an id that has none. */
  markFetched(id: string): Promise<void>
  counts(): Promise<QueueCounts>
  /** Those without a result, for the log. */
  unfinished(): Promise<readonly { readonly id: string; readonly method: string; readonly target: string }[]>
  /** Nothing more comes: what waits is to end, whatever room the results take that will be lost with this process. */
  beginShutdown(): Promise<void>
  /** Is told when a `take` that found nothing might find something. Returns what takes it off. */
  onReady(listener: () => void): () => void
  close(): Promise<void>
}
