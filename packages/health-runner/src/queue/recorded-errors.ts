import type { ErrorType } from '../vocabulary/error-type.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'
import { ownError } from './own-error.ts'

interface RecordedErrors {
  readonly cancelled: QueueAnswer
  readonly notBegun: QueueAnswer
  readonly failed: (type: ErrorType) => QueueAnswer
  readonly tooLong: (maxBytes: number) => QueueAnswer
}

/** What is recorded for a request when no runner's answer is. */
export const RECORDED: RecordedErrors = {
  cancelled: ownError('client_cancelled'),
  notBegun: ownError('startup_timeout', {
    detail: 'the request had not begun within its x-baldur-start-timeout',
  }),
  failed: (type: ErrorType): QueueAnswer => ownError(type),
  // what the runner sent is no valid answer here, and will not be at the next attempt
  tooLong: (maxBytes: number): QueueAnswer =>
    ownError('runner_incomplete_response', {
      status: 502,
      detail: `the answer is longer than the ${maxBytes} bytes of queue.maxAnswerBytes`,
    }),
}
