import type { ErrorType } from '../vocabulary/error-type.ts'
import type { QueueAnswer } from '../vocabulary/queue-store.ts'

/** An answer that no runner made: it says what is wrong, and what that is called. */
export function ownError(
  status: number,
  type: ErrorType,
  detail: string,
  headers: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): QueueAnswer {
  const body = Buffer.from(`${JSON.stringify({ ...more, detail, error_type: type })}\n`)
  return {
    status,
    headers: ['Content-Type', 'application/json; charset=utf-8', 'X-Baldur-Error-Type', type, ...headers],
    body,
  }
}
