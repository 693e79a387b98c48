/** What an error that the gateway makes itself is called: in `error_type`, and in `X-Baldur-Error-Type`. */
export type ErrorType =
  | 'request_timeout'
  | 'startup_timeout'
  | 'runner_scheduling_failure'
  | ConnectionErrorType
  | 'client_disconnected'
  | 'client_cancelled'
  | 'bad_request'
  | 'internal_error'

/** What is wrong with a connection to a runner, or with what came over it. */
export type ConnectionErrorType =
  /** No connection within the connect timeout. */
  | 'runner_connection_timeout'
  /** The connection ended before the answer's head. */
  | 'runner_disconnected'
  /** Nobody listens on the runner's port. The request was never handed to it. */
  | 'runner_connection_refused'
  /** Any other error of the socket. */
  | 'runner_connection_error'
  /** The answer's head came, and not all of its body. */
  | 'runner_incomplete_response'
  /** What came is no HTTP. */
  | 'runner_server_error'
