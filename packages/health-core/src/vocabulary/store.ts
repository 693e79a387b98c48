/** What a store holds under a key. */
export interface StoredText {
  readonly text: string
  /** What is left of its life, in milliseconds, by the store's own clock. */
  readonly remainingMs: number
}

/** The right to write under a key, taken before what is to be written was computed. */
export interface StoreClaim {
  readonly token: string
  /** For how long it was taken, in milliseconds. */
  readonly forMs: number
}

/**
 * Where the processes of a service share check results: Redis, or anything else with these functions. Whatever one of
 * them does (throw, reject, hang, return nonsense) costs an answer at most 50 ms; no second one is called before it has
 * settled.
 */
export interface SharedStore {
  /** Nothing there, something of another kind, or a life without an end: undefined. */
  read(key: string): Promise<StoredText | undefined>
  /** Takes the claim on a key unless somebody has it; it ends by itself. */
  claim(key: string, claim: StoreClaim): Promise<boolean>
  /**
   * Writes, and ends the claim; does nothing once the claim is not held any more. The text lives for `lifeMs` from the
   * moment of the claim by the store's own clock, so that a write which arrives late is never taken for a new one.
   */
  write(key: string, claim: StoreClaim, text: string, lifeMs: number): Promise<void>
  /** Frees what the store itself opened. */
  close?(): Promise<void>
}

/** What is needed of a client of `ioredis`: `Redis`, with Sentinel or without, or `Cluster`. */
export interface RedisClient {
  readonly status: string
  eval(script: string, keys: number, ...parameters: (string | number)[]): Promise<unknown>
}
