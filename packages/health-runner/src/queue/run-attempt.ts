import type { Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { AttemptOutcome } from '../rules/is-retried.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { Exchange, ExchangeEnd, Outgoing } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import type { QueueAnswer, QueueAttempt } from '../vocabulary/queue-store.ts'
import { createAnswerBuffer } from './answer-buffer.ts'
import { RECORDED } from './recorded-errors.ts'

export interface AttemptEnd {
  readonly outcome: AttemptOutcome
  /** What is recorded if this was the last attempt. */
  readonly answer: QueueAnswer
  /** For the log: `200`, `runner_disconnected`. */
  readonly words: string
}

type FailedEnd = Extract<ExchangeEnd, { kind: 'failed' }>

/** A body has a length, also when it is empty and the method is one that has a body. */
const lengthOf = (method: string, body: Buffer): readonly string[] =>
  body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method) ? ['content-length', String(body.length)] : []

/** The request as a runner gets it. */
function outgoing({ request, attempt }: QueueAttempt): Outgoing {
  const { id, method, target, headers, body } = request
  const own = ['x-baldur-request-id', id, 'x-baldur-attempt', String(attempt)]
  return {
    method,
    target,
    headers: [...headers, ...lengthOf(method, body), ...own],
    body: body.length > 0 ? body : undefined,
  }
}

/** Gives a request to a runner and keeps what it answers. Never rejects. */
export async function runAttempt(
  attempt: QueueAttempt,
  lease: Lease,
  exchange: Exchange,
  logger: Pick<Logger, 'error'>,
  { maxAnswerBytes, requestTimeoutMs }: Pick<QueueSettings, 'maxAnswerBytes' | 'requestTimeoutMs'>,
): Promise<AttemptEnd> {
  const gone = new AbortController()
  const buffer = createAnswerBuffer(maxAnswerBytes, () => gone.abort())
  const options = { timeoutMs: requestTimeoutMs, bound: 'whole', gone: gone.signal } as const
  let end: ExchangeEnd = { kind: 'gone' }
  try {
    end = await exchange(lease, outgoing(attempt), buffer.sink, options)
  } catch (error) {
    // our own fault is no reason to lose a request, or a place on a runner
    logger.error(`queue: the exchange of request ${attempt.request.id} failed: ${formatError(error)}`)
    lease.end({ kind: 'inconclusive' })
  }
  const { head, isTooLong } = buffer
  const needsRetry = head?.needsRetry
  if (head !== undefined && (isTooLong || end.kind === 'answered')) {
    const { status, headers } = head
    return {
      outcome: { kind: 'answered', status, needsRetry },
      answer: isTooLong ? RECORDED.tooLong(maxAnswerBytes) : { status, headers, body: buffer.body() },
      words: isTooLong ? `${status} and an answer that is too long` : String(status),
    }
  }
  if (end.kind !== 'failed') {
    const answer = RECORDED.failed('internal_error')
    return { outcome: { kind: 'failed', needsRetry }, answer, words: 'internal_error' }
  }
  return {
    outcome: unanswered(end, needsRetry),
    answer: RECORDED.failed(end.type),
    words: `${end.type} (${end.detail})`,
  }
}

function unanswered({ type, wasHandedOver }: FailedEnd, needsRetry: boolean | undefined): AttemptOutcome {
  if (wasHandedOver) return { kind: 'failed', needsRetry }
  return { kind: type === 'bad_request' ? 'unsendable' : 'not_begun' }
}
