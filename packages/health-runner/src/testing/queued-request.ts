import { randomBytes } from 'node:crypto'
import type { QueueAnswer, QueuedRequest } from '../vocabulary/queue-store.ts'

/** A request as the queue keeps it. */
export function queuedRequest(parts: Partial<QueuedRequest> = {}): QueuedRequest {
  return {
    id: randomBytes(16).toString('hex'),
    method: 'POST',
    target: '/',
    headers: [],
    body: Buffer.alloc(0),
    acceptedAt: 0,
    startBy: undefined,
    noRetry: false,
    idempotencyKey: undefined,
    fingerprint: '',
    ...parts,
  }
}

/** An answer with that body. */
export const queueAnswer = (body: string | Buffer = '', status = 200): QueueAnswer => ({
  status,
  headers: ['X-Answer', 'yes'],
  body: Buffer.from(body),
})
