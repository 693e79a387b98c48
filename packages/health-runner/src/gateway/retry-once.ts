import type { ErrorType } from '../vocabulary/error-type.ts'
import type { Fleet, Lease } from '../vocabulary/fleet.ts'

/** Gives a request to a runner, and when that takes no connection to another one that is free: nothing has happened yet. */
export async function retryOnce<End extends { readonly kind: string; readonly type?: ErrorType }>(
  fleet: Fleet,
  first: Lease,
  give: (lease: Lease) => Promise<End>,
  gone: AbortSignal,
): Promise<End> {
  const end = await give(first)
  if (end.type !== 'runner_connection_refused' || gone.aborted) return end
  const second = fleet.take('direct')
  return second === undefined ? end : give(second)
}
