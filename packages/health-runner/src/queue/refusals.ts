import { FIXED } from '../settings/defaults.ts'
import type { ErrorType } from '../vocabulary/error-type.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'
import { ownError } from './own-error.ts'
import { json } from './respond.ts'

const bad = (status: number, detail: string, headers: readonly string[] = []): QueueAnswer =>
  ownError('bad_request', { status, detail, headers })

const later = (detail: string): QueueAnswer =>
  ownError('runner_scheduling_failure', { detail, retryAfterSeconds: FIXED.retryAfterSeconds })

interface Refusals {
  readonly wish: (problem: string) => QueueAnswer
  readonly method: (allowed: readonly string[]) => QueueAnswer
  readonly tooLong: (maxBytes: number) => QueueAnswer
  readonly tooSlow: QueueAnswer
  readonly conflict: QueueAnswer
  readonly unknown: QueueAnswer
  readonly completed: QueueAnswer
  readonly full: QueueAnswer
  readonly leaving: QueueAnswer
  readonly manyReaders: QueueAnswer
  readonly noStore: QueueAnswer
  readonly broken: QueueAnswer
}

/** What the queue answers when it does not do what it was asked. */
export const REFUSALS: Refusals = {
  wish: (problem: string): QueueAnswer => bad(400, problem),
  method: (allowed: readonly string[]): QueueAnswer =>
    bad(405, `this path takes ${allowed.join(', ')}`, ['Allow', allowed.join(', ')]),
  tooLong: (maxBytes: number): QueueAnswer => bad(413, `a body has at most ${maxBytes} bytes`),
  tooSlow: bad(408, 'the body did not come'),
  conflict: bad(422, 'another request, or that of another caller, came under this idempotency-key'),
  unknown: bad(404, 'no such request, or its result is not kept any more'),
  // a status, as the other answers about a request have
  completed: json(
    400,
    {
      status: 'ALREADY_COMPLETED',
      detail: 'the request has a result already',
      error_type: 'bad_request' satisfies ErrorType,
    },
    ['X-Baldur-Error-Type', 'bad_request'],
  ),
  full: later('the queue is full'),
  leaving: later('the queue takes no further requests'),
  manyReaders: later('too many results are being fetched'),
  noStore: later('the store of the queue cannot be reached'),
  broken: ownError('internal_error', { detail: 'the queue failed' }),
}
