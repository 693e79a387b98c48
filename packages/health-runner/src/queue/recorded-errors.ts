import type { ErrorType } from '../vocabulary/error-type.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'
import { ownError } from './own-error.ts'

/** Of an attempt that brought no answer. */
const STATUSES: Readonly<Record<ErrorType, number>> = {
  request_timeout: 504,
  startup_timeout: 504,
  runner_scheduling_failure: 503,
  runner_connection_timeout: 503,
  runner_disconnected: 503,
  runner_connection_refused: 503,
  runner_connection_error: 503,
  runner_incomplete_response: 503,
  runner_server_error: 503,
  client_disconnected: 499,
  client_cancelled: 499,
  bad_request: 400,
  internal_error: 500,
}

/** Fixed texts: what an error itself says may hold an address, and is for the log. */
const DETAILS: Readonly<Record<ErrorType, string>> = {
  request_timeout: 'the runner did not answer in time',
  startup_timeout: 'the request had not begun within its x-baldur-start-timeout',
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

const recorded = (type: ErrorType): QueueAnswer => ownError(STATUSES[type], type, DETAILS[type])

interface RecordedErrors {
  readonly cancelled: QueueAnswer
  readonly notBegun: QueueAnswer
  readonly failed: (type: ErrorType) => QueueAnswer
  readonly tooLong: (maxBytes: number) => QueueAnswer
}

/** What is recorded for a request when no runner's answer is. */
export const RECORDED: RecordedErrors = {
  cancelled: recorded('client_cancelled'),
  notBegun: recorded('startup_timeout'),
  failed: recorded,
  // what the runner sent is no valid answer here, and will not be at the next attempt
  tooLong: (maxBytes: number): QueueAnswer =>
    ownError(
      502,
      'runner_incomplete_response',
      `the answer is longer than the ${maxBytes} bytes of queue.maxAnswerBytes`,
    ),
}
