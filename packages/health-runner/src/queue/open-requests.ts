import type { Clock } from '@baldur/health-core'
import type { QueuedRequest } from '../vocabulary/queue-store.ts'
import { createOrdered } from './ordered.ts'
import { createPlaces } from './places.ts'

/** A request without a result. */
export interface OpenRequest {
  readonly request: QueuedRequest
  /** Of acceptance. */
  readonly order: number
  readonly bytes: number
  /** Its start deadline, on the clock: the wall may step. */
  readonly startBy: number | undefined
  isRunning: boolean
  begun: number
  /** Times in a row that it was taken and did not begin. */
  releasedTakes: number
  /** When its next attempt is due, on the clock. */
  dueAt: number
}

/** Requests without a result: in line, until their delay is over, or running. */
export interface OpenRequests {
  readonly size: number
  readonly running: number
  readonly bytes: number
  /** How many are in line. */
  readonly due: number
  /** When the first delay is over, on the clock. */
  readonly nextDue: number | undefined
  get(id: string): OpenRequest | undefined
  add(request: QueuedRequest, bytes: number): OpenRequest
  /** The first in line, which runs from now on. */
  take(): OpenRequest | undefined
  /** One that ran waits again. */
  putBack(open: OpenRequest): void
  remove(open: OpenRequest): void
  /** Those whose delay is over get in line. True: somebody did. */
  wake(): boolean
  /** Those that have missed their start. */
  overdue(): readonly OpenRequest[]
  /** How many that were accepted before it wait too. */
  ahead(open: OpenRequest): number
  all(): readonly OpenRequest[]
}

export function createOpenRequests(clock: Clock): OpenRequests {
  const byId = new Map<string, OpenRequest>()
  const line = createOrdered<OpenRequest>(({ order }) => order)
  const delayed = createOrdered<OpenRequest>(({ dueAt }) => dueAt)
  const deadlines = createOrdered<OpenRequest>(({ startBy = 0 }) => startBy)
  const places = createPlaces()
  let accepted = 0
  let running = 0
  let bytes = 0

  const isOverdue = ({ begun, startBy }: OpenRequest): boolean =>
    begun === 0 && startBy !== undefined && startBy <= clock.now()
  const wait = (open: OpenRequest): void => {
    ;(open.dueAt > clock.now() ? delayed : line).add(open)
    if (open.startBy !== undefined && open.begun === 0) deadlines.add(open)
    places.add(open.order)
  }
  const leaveLines = (open: OpenRequest): void => {
    for (const each of [line, delayed, deadlines]) each.delete(open)
    places.delete(open.order)
  }

  return {
    get size() {
      return byId.size
    },
    get running() {
      return running
    },
    get bytes() {
      return bytes
    },
    get due() {
      return line.size
    },
    get nextDue() {
      return delayed.first?.dueAt
    },
    get: (id) => byId.get(id),
    add: (request, size) => {
      accepted += 1
      const now = clock.now()
      const startBy = request.startBy === undefined ? undefined : now + request.startBy - clock.wall()
      const start = { isRunning: false, begun: 0, releasedTakes: 0, dueAt: now }
      const open: OpenRequest = { request, order: accepted, bytes: size, startBy, ...start }
      byId.set(request.id, open)
      bytes += size
      wait(open)
      return open
    },
    take: () => {
      for (let open = line.first; open !== undefined; open = line.first) {
        line.delete(open)
        // it stays among the deadlines, where it is found and given up
        if (isOverdue(open)) continue
        leaveLines(open)
        open.isRunning = true
        running += 1
        return open
      }
      return undefined
    },
    putBack: (open) => {
      open.isRunning = false
      running -= 1
      wait(open)
    },
    remove: (open) => {
      leaveLines(open)
      byId.delete(open.request.id)
      bytes -= open.bytes
      if (open.isRunning) running -= 1
    },
    wake: () => {
      const before = line.size
      const now = clock.now()
      for (let open = delayed.first; open !== undefined && open.dueAt <= now; open = delayed.first) {
        delayed.delete(open)
        line.add(open)
      }
      return line.size > before
    },
    overdue: () => {
      const found: OpenRequest[] = []
      for (let open = deadlines.first; open !== undefined && isOverdue(open); open = deadlines.first) {
        deadlines.delete(open)
        found.push(open)
      }
      return found
    },
    ahead: ({ order }) => places.before(order),
    all: () => [...byId.values()],
  }
}
