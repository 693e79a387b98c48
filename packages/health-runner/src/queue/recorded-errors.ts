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

interface RecordedErrors {
  readonly cancelled: QueueAnswer
  readonly notBegun: QueueAnswer
  readonly failed: (type: ErrorType, detail: string) => QueueAnswer
  readonly tooLong: (maxBytes: number) => QueueAnswer
}

/** What is recorded for a request when no runner's answer is. */
export const RECORDED: RecordedErrors = {
  cancelled: ownError(STATUSES.client_cancelled, 'client_cancelled', 'the caller cancelled the request'),
  notBegun: ownError(
    STATUSES.startup_timeout,
    'startup_timeout',
    'the request had not begun within its x-baldur-start-timeout',
  ),
  failed: (type: ErrorType, detail: string): QueueAnswer => ownError(STATUSES[type], type, detail),
  // what the runner sent is no valid answer here, and will not be at the next attempt
  tooLong: (maxBytes: number): QueueAnswer =>
    ownError(
      502,
      'runner_incomplete_response',
      `the answer is longer than the ${maxBytes} bytes of queue.maxAnswerBytes`,
    ),
}
