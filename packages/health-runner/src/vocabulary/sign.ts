import type { ConnectionErrorType } from './error-type.ts'

/** What one request showed of the runner that it was given to. */
export type Sign =
  /** Its answer came whole, or as much of it as the client stayed for. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The connection to it broke, before the answer or in it. */
  | { readonly kind: 'broken'; readonly type: ConnectionErrorType }
  /** It took longer than the request timeout. */
  | { readonly kind: 'timed_out' }
  /** Nothing: the client left before its request was whole. */
  | { readonly kind: 'untold' }
