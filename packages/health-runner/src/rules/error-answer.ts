import type { ErrorType } from '../vocabulary/error-type.ts'

/** An answer that no runner made. */
export interface ErrorAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** What says more than the type's own text and status. */
export interface ErrorAnswerOptions {
  readonly detail?: string | undefined
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

/** Fixed texts: what an error says itself may hold an address, and is for the log. */
const DETAIL: Readonly<Record<ErrorType, string>> = {
  request_timeout: 'the runner did not answer in time',
  startup_timeout: 'no runner was ready in time',
  runner_scheduling_failure: 'all runners are busy',
  runner_connection_timeout: 'the runner took no connection in time',
  runner_disconnected: 'the runner ended the connection before it answered',
  runner_connection_refused: 'the runner took no connection',
  runner_connection_error: 'the connection to the runner failed',
  runner_incomplete_response: 'the runner did not answer to the end',
  runner_server_error: 'what the runner answered is not HTTP',
  client_disconnected: 'the client left',
  client_cancelled: 'the request was cancelled',
  bad_request: 'this is not a request that a runner can be given',
  internal_error: 'the gateway failed',
}

/** The answer to a request that failed in a way that has a name. */
export function errorAnswer(type: ErrorType, options: ErrorAnswerOptions = {}): ErrorAnswer {
  const { detail = DETAIL[type], status = STATUS[type], retryAfterSeconds, headers = [] } = options
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
