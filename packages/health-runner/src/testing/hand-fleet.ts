import type { Fleet, Lease, RequestKind } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

/** What became of a request that was given out. */
interface Given {
  readonly runner: string
  readonly kind: RequestKind
  /** Statuses at the head. */
  readonly heads: number[]
  /** More than one would be a fault. */
  readonly signs: RequestOutcome[]
}

/** A fleet without processes: ports of a test's own servers, in turn, so many requests each. */
export interface HandFleet extends Fleet {
  readonly given: readonly Given[]
  /** Of all that was given, in order of the giving. */
  readonly signs: readonly (RequestOutcome | undefined)[]
  add(name: string, port: number, most?: number): void
  remove(name: string): void
  isReady: boolean
  /** How many are told of room. */
  readonly told: number
}

/** A runner that broke or timed out, or has answered 503, is given nothing more. */
export function handFleet(): HandFleet {
  const runners: { name: string; port: number; most: number; inFlight: number }[] = []
  const listeners = new Set<() => void>()
  const given: Given[] = []
  const room = (): void => {
    for (const listener of listeners) listener()
  }
  const remove = (name: string): void => {
    const at = runners.findIndex((runner) => runner.name === name)
    if (at >= 0) runners.splice(at, 1)
  }
  const fleet: HandFleet = {
    given,
    isReady: true,
    get signs() {
      return given.map(({ signs }) => signs[0])
    },
    add: (name, port, most = 16) => {
      runners.push({ name, port, most, inFlight: 0 })
      room()
    },
    remove,
    get told() {
      return listeners.size
    },
    take: (kind): Lease | undefined => {
      const free = runners.find(({ inFlight, most }) => inFlight < most)
      if (free === undefined) return undefined
      free.inFlight += 1
      runners.push(...runners.splice(runners.indexOf(free), 1))
      const { name, port } = free
      const record: Given = { runner: name, kind, heads: [], signs: [] }
      given.push(record)
      return {
        runner: { name, port, host: '127.0.0.1', pid: 1 },
        head: (status) => {
          record.heads.push(status)
          if (status === 503) remove(name)
        },
        end: (outcome) => {
          record.signs.push(outcome)
          free.inFlight -= 1
          if (outcome.kind === 'broken' || outcome.kind === 'timed_out') remove(name)
          room()
        },
      }
    },
    onRoom: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get hasReady() {
      return fleet.isReady
    },
    snapshot: () => ({ wanted: runners.length, runners: [], guard: { ended: 0, allowed: 1 } }),
  }
  return fleet
}
