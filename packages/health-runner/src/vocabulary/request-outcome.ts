import type { ConnectionErrorType } from './error-type.ts'

/** Outcome of one request, as evidence about the runner that received it. */
export type RequestOutcome =
  /** The runner answered: in full, or until the client disconnected. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The connection to the runner broke, before or during the answer. */
  | { readonly kind: 'broken'; readonly type: ConnectionErrorType }
  /** The runner exceeded the request timeout. */
  | { readonly kind: 'timed_out' }
  /** No evidence, for example because the client disconnected before its request was complete. */
  | { readonly kind: 'inconclusive' }
