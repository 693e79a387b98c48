import type { QueueAnswer, QueueStatus, QueueStore } from '../vocabulary/queue-store.ts'
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

/** What was recorded, as it was; the status while there is nothing. `onResult` hears that it is a result. */
export async function showResult(store: QueueStore, id: string, onResult: () => void): Promise<QueueAnswer> {
  const recorded = async (): Promise<QueueAnswer | undefined> => {
    const result = await store.result(id)
    if (result !== undefined) onResult()
    return result
  }
  const result = await recorded()
  if (result !== undefined) return result
  const status = await store.status(id)
  if (status === undefined) return REFUSALS.unknown
  // it was recorded between the two questions
  if (status.status === 'COMPLETED') return (await recorded()) ?? REFUSALS.unknown
  return json(202, told(status))
}

/** Records that the caller wants no answer any more. */
export async function cancel(store: QueueStore, id: string): Promise<QueueAnswer> {
  const outcome = await store.cancel(id, RECORDED.cancelled)
  if (outcome === 'unknown') return REFUSALS.unknown
  return outcome === 'completed' ? REFUSALS.completed : json(202, { status: 'CANCELLATION_REQUESTED' })
}
