import type { Readable } from 'node:stream'
import type { ErrorType } from './error-type.ts'
import type { Lease } from './fleet.ts'

/** A request as it goes to a runner. Names and values of headers take turns, as in Node's `rawHeaders`; hop-by-hop ones are gone. */
export interface Outgoing {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Readable | Buffer | undefined
}

/** The head of a runner's answer. Hop-by-hop headers and those about a retry are gone. */
export interface AnswerHead {
  readonly status: number
  readonly headers: readonly string[]
  /** What `X-Baldur-Needs-Retry`, or else `X-Fal-Needs-Retry`, asked for. */
  readonly needsRetry: boolean | undefined
}

/** Who takes an answer: a client's response, or a buffer. */
export interface Sink {
  head(head: AnswerHead): void
  /** False: no more until what was given to `whenReady` has been called. */
  data(chunk: Buffer): boolean
  whenReady(resume: () => void): void
  /** The answer is whole. */
  end(): void
}

export interface ExchangeOptions {
  /** How long the runner may take, in milliseconds. */
  readonly timeoutMs: number
  /** `pieces`: to the head and between pieces, while nobody else is waited for. `whole`: the answer in all. */
  readonly bound: 'pieces' | 'whole'
  /** Aborts when nobody waits for the answer any more. The runner's time goes on. */
  readonly gone?: AbortSignal | undefined
}

export type ExchangeEnd =
  /** The answer came whole. */
  | { readonly kind: 'answered' }
  /** It did not. Whether anything had been given to the sink is for the sink to know. */
  | {
      readonly kind: 'failed'
      readonly type: ErrorType
      readonly wasHandedOver: boolean
      readonly detail: string
    }
  /** Whoever waited had gone; the sink was told nothing more. */
  | { readonly kind: 'gone' }

/** Gives a request to a runner and its answer to a sink. Ends the lease. Never rejects. */
export type Exchange = (
  lease: Lease,
  outgoing: Outgoing,
  sink: Sink,
  options: ExchangeOptions,
) => Promise<ExchangeEnd>
