import type { QueueAnswer, QueueResult, QueueStatus, QueueStore } from '../vocabulary/queue-store.ts'
import { RECORDED } from './recorded-errors.ts'
import { REFUSALS } from './refusals.ts'
import { json } from './respond.ts'

const told = (status: QueueStatus): object =>
  status.status === 'IN_QUEUE' ? { status: status.status, queue_position: status.position } : status

/** Where a request is. */
export async function showStatus(store: QueueStore, id: string): Promise<QueueAnswer> {
  const status = await store.status(id)
  return status === undefined ? REFUSALS.unknown : json(200, told(status))
}

/** What was recorded, as `handOut` gives it; the status while there is nothing. */
export async function showResult(
  store: QueueStore,
  id: string,
  handOut: (result: QueueResult) => QueueAnswer,
): Promise<QueueAnswer> {
  const result = await store.result(id)
  if (result !== undefined) return handOut(result)
  const status = await store.status(id)
  if (status === undefined) return REFUSALS.unknown
  if (status.status !== 'COMPLETED') return json(202, told(status))
  // it was recorded between the two questions
  const recorded = await store.result(id)
  return recorded === undefined ? REFUSALS.unknown : handOut(recorded)
}

/** Records that the caller wants no answer any more. */
export async function cancel(store: QueueStore, id: string): Promise<QueueAnswer> {
  const outcome = await store.cancel(id, RECORDED.cancelled)
  if (outcome === 'unknown') return REFUSALS.unknown
  return outcome === 'completed' ? REFUSALS.completed : json(202, { status: 'CANCELLATION_REQUESTED' })
}
