/** A text in the store, with its remaining life. */
export interface StoredText {
  readonly text: string
  /** Remaining life in milliseconds, by the store's own clock. */
  readonly remainingMs: number
}

/** The right to write under a key, taken before the computation of its value. */
export interface StoreClaim {
  /** Unique identity of the claim. */
  readonly token: string
  /** Life of the claim, in milliseconds. */
  readonly forMs: number
}

/**
 * The store in which the processes of a service share check results: Redis, or anything else with these functions. A
 * function that throws, rejects, hangs or returns nonsense delays an answer by at most 50 ms; the next one is called only
 * after it has settled.
 */
export interface SharedStore {
  /** Resolves with the text under a key; undefined when there is none, when it is of another type or has no expiry. */
  read(key: string): Promise<StoredText | undefined>
  /** Takes the claim on a key and resolves with true, or false when another process holds it. The claim expires by itself. */
  claim(key: string, claim: StoreClaim): Promise<boolean>
  /**
   * Writes the text and releases the claim; does nothing when the claim is no longer held. The text lives for `lifeMs` from the
   * moment of the claim by the store's own clock, so that a late write is never taken for a fresh one.
   */
  write(key: string, claim: StoreClaim, text: string, lifeMs: number): Promise<void>
  /** Frees what the store opened; called once, when the health closes. */
  close?(): Promise<void>
}

/** The required part of an `ioredis` client: `Redis`, with or without Sentinel, or `Cluster`. */
export interface RedisClient {
  readonly status: string
  eval(script: string, keys: number, ...parameters: (string | number)[]): Promise<unknown>
}
