import { QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueAnswer, QueuedRequest } from '../vocabulary/queue-store.ts'

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

/** What a request or a result takes in memory, in bytes. */
export function keptSize(kept: QueueAnswer | QueuedRequest): number {
  const target = 'target' in kept ? kept.target.length : 0
  return QUEUE_FIXED.entryBytes + target + lengthOf(kept.headers) + kept.body.length
}
