import type { Clock } from '@baldur/health-core'
import type { QueuedRequest, QueueResult } from '../vocabulary/queue-store.ts'
import { createOrdered } from './ordered.ts'

interface Kept {
  readonly order: number
  readonly request: Pick<QueuedRequest, 'id' | 'idempotencyKey'>
  readonly result: QueueResult
  readonly bytes: number
  readonly until: number
}

/** Results, until they are too old; where room is needed those that were fetched go before, the oldest first. */
export interface KeptResults {
  readonly size: number
  readonly bytes: number
  /** How many nobody has fetched … */
  readonly unfetched: number
  /** … and what they take. */
  readonly unfetchedBytes: number
  /** When the oldest is too old, on the clock. */
  readonly nextEnd: number | undefined
  get(id: string): QueueResult | undefined
  add(request: Kept['request'], result: QueueResult, bytes: number): void
  /** False: there is none of that id. */
  fetched(id: string): boolean
  /** Those that are too old go. */
  sweep(): void
  /** Those that were fetched go until all have at most so many bytes. Gives how many went. */
  makeRoom(maxBytes: number): number
}

/** `onGone` hears which one is not kept any more. */
export function createKeptResults(
  keepForMs: number,
  clock: Clock,
  onGone: (request: Kept['request']) => void,
): KeptResults {
  const byId = new Map<string, Kept>()
  const byAge = createOrdered<Kept>(({ order }) => order)
  const fetched = createOrdered<Kept>(({ order }) => order)
  const unfetched = new Set<Kept>()
  let bytes = 0
  let unfetchedBytes = 0
  let recorded = 0

  const noteFetched = (kept: Kept): void => {
    if (unfetched.delete(kept)) unfetchedBytes -= kept.bytes
  }
  const drop = (kept: Kept): void => {
    byAge.delete(kept)
    fetched.delete(kept)
    noteFetched(kept)
    byId.delete(kept.request.id)
    bytes -= kept.bytes
    onGone(kept.request)
  }

  return {
    get size() {
      return byId.size
    },
    get bytes() {
      return bytes
    },
    get unfetched() {
      return unfetched.size
    },
    get unfetchedBytes() {
      return unfetchedBytes
    },
    get nextEnd() {
      return byAge.first?.until
    },
    get: (id) => byId.get(id)?.result,
    add: ({ id, idempotencyKey }, result, size) => {
      recorded += 1
      const until = clock.now() + keepForMs
      const kept = { order: recorded, request: { id, idempotencyKey }, result, bytes: size, until }
      byId.set(id, kept)
      byAge.add(kept)
      unfetched.add(kept)
      bytes += size
      unfetchedBytes += size
    },
    fetched: (id) => {
      const kept = byId.get(id)
      if (kept === undefined) return false
      noteFetched(kept)
      fetched.add(kept)
      return true
    },
    sweep: () => {
      const now = clock.now()
      for (let oldest = byAge.first; oldest !== undefined && oldest.until <= now; oldest = byAge.first)
        drop(oldest)
    },
    makeRoom: (maxBytes) => {
      const before = byId.size
      for (let oldest = fetched.first; oldest !== undefined && bytes > maxBytes; oldest = fetched.first)
        drop(oldest)
      return before - byId.size
    },
  }
}
