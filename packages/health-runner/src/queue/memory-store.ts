import type { Clock } from '@baldur/health-core'
import { QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { QueueAnswer, QueuedRequest, QueueResult, QueueStore } from '../vocabulary/queue-store.ts'
import { createAlarm } from './alarm.ts'
import { createKeptResults } from './kept-results.ts'
import { createOpenRequests, type OpenRequest } from './open-requests.ts'

export interface MemoryStore extends QueueStore {
  /** Of all requests and results that are kept, in bytes. */
  readonly keptBytes: number
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

const bytesOf = ({ headers, body }: QueueAnswer | QueuedRequest): number =>
  QUEUE_FIXED.entryBytes + lengthOf(headers) + body.length

/** Keeps requests and results in this process: they end with it. */
export function createMemoryStore(
  { max, maxKeptBytes, keepForMs }: Pick<QueueSettings, 'max' | 'maxKeptBytes' | 'keepForMs'>,
  clock: Clock,
): MemoryStore {
  const listeners = new Set<() => void>()
  /** By their idempotency key, as long as the request or its result is kept. */
  const keys = new Map<string, Pick<QueuedRequest, 'id' | 'fingerprint'>>()
  const open = createOpenRequests(clock)
  const results = createKeptResults(keepForMs, clock, ({ idempotencyKey }) => {
    if (idempotencyKey !== undefined) keys.delete(idempotencyKey)
  })
  let begunAgain = 0
  let isClosed = false

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const alarm = createAlarm(clock, () => {
    results.sweep()
    const isDue = open.wake()
    setAlarm()
    if (isDue) tell()
  })
  const setAlarm = (): void => {
    const next = Math.min(open.nextDue ?? Infinity, results.nextEnd ?? Infinity)
    alarm.set(isClosed || next === Infinity ? undefined : next)
  }
  const count = (entry: OpenRequest, begun: number): void => {
    begunAgain += Number(begun > 1) - Number(entry.begun > 1)
    entry.begun = begun
  }
  const record = (entry: OpenRequest, { status, headers, body }: QueueAnswer, attempts: number): void => {
    count(entry, attempts)
    open.remove(entry)
    const result: QueueResult = { status, headers, body, attempts }
    results.add(entry.request, result, bytesOf(result))
    results.shrink(maxKeptBytes - open.bytes)
    setAlarm()
  }

  return {
    kind: 'in memory',
    isDurable: false,
    get keptBytes() {
      return open.bytes + results.bytes
    },
    add: async (request) => {
      results.sweep()
      const { id, idempotencyKey: key, fingerprint } = request
      const known = key === undefined ? undefined : keys.get(key)
      if (known !== undefined) {
        return known.fingerprint === fingerprint ? { kind: 'known', id: known.id } : { kind: 'conflict' }
      }
      const bytes = bytesOf(request) + request.target.length
      const room = maxKeptBytes - open.bytes - bytes
      if (open.size >= max || room < 0) return { kind: 'full' }
      results.makeRoom(room)
      if (key !== undefined) keys.set(key, { id, fingerprint })
      open.add(request, bytes)
      setAlarm()
      tell()
      return { kind: 'added', id }
    },
    take: async () => {
      open.wake()
      const entry = open.take()
      setAlarm()
      if (entry === undefined) return undefined
      count(entry, entry.begun + 1)
      const { request, begun, unbegun } = entry
      return { request, attempt: begun, unbegun, isLast: open.due === 0 }
    },
    retry: async ({ request, attempt, unbegun }, delayMs, hasBegun) => {
      const entry = open.get(request.id)
      // it was cancelled meanwhile
      if (entry === undefined || !entry.isRunning) return
      // it was told before, and another one is under way
      if (entry.begun !== attempt || entry.unbegun !== unbegun) return
      count(entry, hasBegun ? attempt : attempt - 1)
      entry.unbegun = hasBegun ? 0 : entry.unbegun + 1
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
      results.sweep()
      const entry = open.get(id)
      if (entry === undefined) return results.get(id) === undefined ? 'unknown' : 'completed'
      record(entry, answer, entry.begun)
      return 'cancelled'
    },
    expire: async (answer) => {
      const missed = open.overdue()
      for (const entry of missed) record(entry, answer, 0)
      return missed.map(({ request }) => request.id)
    },
    status: async (id) => {
      results.sweep()
      const entry = open.get(id)
      if (entry !== undefined) {
        return entry.isRunning
          ? { status: 'IN_PROGRESS' }
          : { status: 'IN_QUEUE', position: open.ahead(entry) }
      }
      return results.get(id) === undefined ? undefined : { status: 'COMPLETED' }
    },
    result: async (id) => {
      results.sweep()
      return results.get(id)
    },
    counts: async () => {
      results.sweep()
      const { running } = open
      return { waiting: open.size - running, running, completed: results.size, begunAgain }
    },
    unfinished: async () => open.all().map(({ request: { id, method, target } }) => ({ id, method, target })),
    onDue: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      isClosed = true
      listeners.clear()
      setAlarm()
    },
  }
}
