import type { ErrorType } from '../vocabulary/error-type.ts'

/** An answer that no runner made. */
export interface ErrorAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** What says more than the type's own status. */
export interface ErrorAnswerOptions {
  readonly status?: number | undefined
  /** Only for requests that no runner was ever handed. */
  readonly retryAfterSeconds?: number | undefined
  /** Names and values in turn, beside the usual ones. */
  readonly headers?: readonly string[] | undefined
}

const STATUS: Readonly<Record<ErrorType, number>> = {
  request_timeout: 504,
  startup_timeout: 504,
  runner_scheduling_failure: 503,
  runner_connection_timeout: 503,
  runner_disconnected: 503,
  runner_connection_refused: 503,
  runner_connection_error: 503,
  runner_incomplete_response: 503,
  runner_server_error: 503,
  // nobody reads these from a connection that is gone; they are for the log and for records
  client_disconnected: 499,
  client_cancelled: 499,
  bad_request: 400,
  internal_error: 500,
}

/** The answer to a request that failed in a way that has a name. */
export function errorAnswer(type: ErrorType, detail: string, options: ErrorAnswerOptions = {}): ErrorAnswer {
  const { status = STATUS[type], retryAfterSeconds, headers = [] } = options
  const body = `${JSON.stringify({ detail, error_type: type })}\n`
  return {
    status,
    headers: [
      ...['Content-Type', 'application/json; charset=utf-8'],
      ...['Content-Length', String(Buffer.byteLength(body))],
      ...['Cache-Control', 'no-store'],
      ...['X-Baldur-Error-Type', type],
      ...(retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)]),
      ...headers,
    ],
    body,
  }
}
