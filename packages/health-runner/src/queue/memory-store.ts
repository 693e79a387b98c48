import type { Clock, Logger } from '@baldur/health-core'
import type { QueueSettings } from '../settings/settings.ts'
import type { QueueAnswer, QueuedRequest, QueueResult, QueueStore } from '../vocabulary/queue-store.ts'
import { createAlarm } from './alarm.ts'
import { createCapacityLog } from './capacity-log.ts'
import { createKeptResults } from './kept-results.ts'
import { keptSize } from './kept-size.ts'
import { createOpenRequests, type OpenRequest } from './open-requests.ts'

export interface MemoryStore extends QueueStore {
  /** Of all requests and results that are kept, in bytes. */
  readonly keptBytes: number
}

/** Keeps requests and results in this process: they end with it. */
export function createMemoryStore(
  { max, maxKeptBytes, keepForMs }: Pick<QueueSettings, 'max' | 'maxKeptBytes' | 'keepForMs'>,
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
): MemoryStore {
  const listeners = new Set<() => void>()
  /** By their idempotency key, as long as the request or its result is kept. */
  const keys = new Map<string, Pick<QueuedRequest, 'id' | 'fingerprint'>>()
  const open = createOpenRequests(clock)
  const results = createKeptResults(keepForMs, clock, ({ idempotencyKey }) => {
    if (idempotencyKey !== undefined) keys.delete(idempotencyKey)
  })
  const capacityLog = createCapacityLog(clock, logger)
  let retried = 0
  let isHeld = false
  let isLeaving = false
  let isClosed = false

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const alarm = createAlarm(clock, () => {
    sweep()
    const isDue = open.wake()
    setAlarm()
    if (isDue) tell()
  })
  const setAlarm = (): void => {
    const next = Math.min(open.nextDue ?? Infinity, results.nextEnd ?? Infinity)
    alarm.set(isClosed || next === Infinity ? undefined : next)
  }
  /** What cannot be let go: an answer that comes on top of more than there is room for has to wait. Requests alone never are more, so it does not wait for ever. */
  const weigh = (): void => {
    const wasHeld = isHeld
    isHeld = !isLeaving && open.bytes + results.unfetchedBytes > maxKeptBytes
    if (isHeld && !wasHeld) capacityLog.full.note()
    if (wasHeld && !isHeld) tell()
  }
  const sweep = (): void => {
    results.sweep()
    weigh()
  }
  const makeRoom = (maxBytes: number): void => {
    const went = results.makeRoom(maxBytes)
    if (went > 0) capacityLog.evictedEarly.note(went)
  }
  const count = (entry: OpenRequest, begun: number): void => {
    retried += Number(begun > 1) - Number(entry.begun > 1)
    entry.begun = begun
  }
  const record = (
    entry: OpenRequest,
    { status, headers, body }: QueueAnswer,
    attempts: number,
    isFetched = false,
  ): void => {
    count(entry, attempts)
    open.remove(entry)
    const result: QueueResult = { status, headers, body, attempts }
    results.add(entry.request, result, keptSize(result))
    makeRoom(maxKeptBytes - open.bytes)
    // after the others have gone: it stays until another one needs its room
    if (isFetched) results.fetched(entry.request.id)
    weigh()
    setAlarm()
  }

  return {
    kind: 'in memory',
    isDurable: false,
    get keptBytes() {
      return open.bytes + results.bytes
    },
    add: async (request) => {
      sweep()
      const { id, idempotencyKey: key, fingerprint } = request
      const known = key === undefined ? undefined : keys.get(key)
      if (known !== undefined) {
        return known.fingerprint === fingerprint ? { kind: 'known', id: known.id } : { kind: 'conflict' }
      }
      const bytes = keptSize(request)
      const room = maxKeptBytes - open.bytes - bytes
      if (open.size >= max || room < 0) return { kind: 'full' }
      if (room < results.unfetchedBytes) {
        capacityLog.full.note()
        return { kind: 'full' }
      }
      makeRoom(room)
      if (key !== undefined) keys.set(key, { id, fingerprint })
      open.add(request, bytes)
      setAlarm()
      tell()
      return { kind: 'added', id }
    },
    take: async () => {
      open.wake()
      const entry = isHeld ? undefined : open.take()
      setAlarm()
      if (entry === undefined) return undefined
      count(entry, entry.begun + 1)
      const { request, begun, releasedTakes } = entry
      return { request, attempt: begun, releasedTakes, isLast: open.due === 0 }
    },
    retry: async ({ request, attempt, releasedTakes }, delayMs, hasBegun) => {
      const entry = open.get(request.id)
      // it was cancelled meanwhile
      if (entry === undefined || !entry.isRunning) return
      // it was told before, and another one is under way
      if (entry.begun !== attempt || entry.releasedTakes !== releasedTakes) return
      count(entry, hasBegun ? attempt : attempt - 1)
      entry.releasedTakes = hasBegun ? 0 : entry.releasedTakes + 1
      entry.dueAt = clock.now() + delayMs
      open.putBack(entry)
      setAlarm()
      if (delayMs <= 0) tell()
    },
    finish: async (id, result) => {
      const entry = open.get(id)
      if (entry === undefined) return false
      record(entry, result, result.attempts)
      return true
    },
    cancel: async (id, answer) => {
      sweep()
      const entry = open.get(id)
      if (entry === undefined) return results.get(id) === undefined ? 'unknown' : 'completed'
      record(entry, answer, entry.begun, true)
      return 'cancelled'
    },
    expire: async (answer) => {
      const missed = open.overdue()
      for (const entry of missed) record(entry, answer, 0)
      return missed.map(({ request }) => request.id)
    },
    status: async (id) => {
      sweep()
      const entry = open.get(id)
      if (entry !== undefined) {
        return entry.isRunning
          ? { status: 'IN_PROGRESS' }
          : { status: 'IN_QUEUE', position: open.ahead(entry) }
      }
      return results.get(id) === undefined ? undefined : { status: 'COMPLETED' }
    },
    result: async (id) => {
      sweep()
      return results.get(id)
    },
    markFetched: async (id) => {
      if (!results.fetched(id)) return
      makeRoom(maxKeptBytes - open.bytes)
      weigh()
      setAlarm()
    },
    counts: async () => {
      sweep()
      const { running } = open
      return {
        waiting: open.size - running,
        running,
        completed: results.size,
        unfetched: results.unfetched,
        retried,
      }
    },
    unfinished: async () => open.all().map(({ request: { id, method, target } }) => ({ id, method, target })),
    beginShutdown: async () => {
      isLeaving = true
      weigh()
    },
    onReady: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      isClosed = true
      listeners.clear()
      capacityLog.close()
      setAlarm()
    },
  }
}
