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

/** Results, until they are too old or their room is needed; the oldest goes first. */
export interface KeptResults {
  readonly size: number
  readonly bytes: number
  /** When the oldest is too old, on the clock. */
  readonly nextEnd: number | undefined
  get(id: string): QueueResult | undefined
  add(request: Kept['request'], result: QueueResult, bytes: number): void
  /** Those that are too old go. */
  sweep(): void
  /** The oldest go until all have at most so many bytes; the newest stays. */
  shrink(maxBytes: number): void
  /** All go until they have at most so many bytes. */
  makeRoom(maxBytes: number): void
}

/** `onGone` hears which one is not kept any more. */
export function createKeptResults(
  keepForMs: number,
  clock: Clock,
  onGone: (request: Kept['request']) => void,
): KeptResults {
  const byId = new Map<string, Kept>()
  const byAge = createOrdered<Kept>(({ order }) => order)
  let bytes = 0
  let recorded = 0

  const drop = (kept: Kept): void => {
    byAge.delete(kept)
    byId.delete(kept.request.id)
    bytes -= kept.bytes
    onGone(kept.request)
  }
  const dropWhile = (isTooMuch: (oldest: Kept) => boolean): void => {
    for (let oldest = byAge.first; oldest !== undefined && isTooMuch(oldest); oldest = byAge.first)
      drop(oldest)
  }

  return {
    get size() {
      return byId.size
    },
    get bytes() {
      return bytes
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
      bytes += size
    },
    sweep: () => {
      const now = clock.now()
      dropWhile(({ until }) => until <= now)
    },
    shrink: (maxBytes) => dropWhile(() => bytes > maxBytes && byId.size > 1),
    makeRoom: (maxBytes) => dropWhile(() => bytes > maxBytes),
  }
}
