import { QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'
import { ownError } from './own-error.ts'

const bad = (status: number, detail: string, headers: readonly string[] = []): QueueAnswer =>
  ownError(status, 'bad_request', detail, ['Cache-Control', 'no-store', ...headers])

const later = (detail: string): QueueAnswer =>
  ownError(503, 'runner_scheduling_failure', detail, [
    'Cache-Control',
    'no-store',
    'Retry-After',
    String(QUEUE_FIXED.retryAfterSeconds),
  ])

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
  conflict: bad(422, 'another request came under this idempotency-key'),
  unknown: bad(404, 'no such request, or its result is not kept any more'),
  completed: ownError(400, 'bad_request', 'the request has a result already', ['Cache-Control', 'no-store'], {
    status: 'ALREADY_COMPLETED',
  }),
  full: later('the queue is full'),
  leaving: later('the queue takes no further requests'),
  noStore: later('the store of the queue cannot be reached'),
  broken: ownError(500, 'internal_error', 'the queue failed', ['Cache-Control', 'no-store']),
}
