import { type ErrorAnswerOptions, errorAnswer } from '../rules/error-answer.ts'
import type { ErrorType } from '../vocabulary/error-type.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'

/** An answer that no runner made, as it is kept. */
export function ownError(type: ErrorType, options: ErrorAnswerOptions = {}): QueueAnswer {
  const { status, headers, body } = errorAnswer(type, options)
  return { status, headers, body: Buffer.from(body) }
}
