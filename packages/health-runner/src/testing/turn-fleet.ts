import type { Fleet, Lease } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

export interface TurnFleet extends Pick<Fleet, 'take' | 'onRoom'> {
  /** How many leases each runner has at a time; 0 until it is set free. */
  concurrency: number
  readonly inUse: number
  /** Leases that were asked for, also in vain. */
  readonly asked: number
  /** What each lease ended with, in turn. */
  readonly signs: readonly RequestOutcome[]
  /** Statuses that were told at the head. */
  readonly heads: readonly number[]
  readonly listeners: number
  /** Says that there is room. */
  tell(): void
}

/** Runners that a test put there: taken in turn, as long as they have room. */
export function turnFleet(ports: readonly number[]): TurnFleet {
  const signs: RequestOutcome[] = []
  const heads: number[] = []
  const listeners = new Set<() => void>()
  const busy = new Map<number, number>()
  let turn = 0
  let asked = 0
  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const lease = (port: number): Lease => {
    busy.set(port, (busy.get(port) ?? 0) + 1)
    let isOver = false
    return {
      runner: { name: `${port}`, pid: 1, host: '127.0.0.1', port },
      head: (status) => void heads.push(status),
      end: (outcome) => {
        if (isOver) return
        isOver = true
        signs.push(outcome)
        busy.set(port, (busy.get(port) ?? 0) - 1)
        tell()
      },
    }
  }
  const fleet: TurnFleet = {
    concurrency: 1,
    signs,
    heads,
    tell,
    get asked() {
      return asked
    },
    get inUse() {
      return [...busy.values()].reduce((sum, count) => sum + count, 0)
    },
    get listeners() {
      return listeners.size
    },
    take: () => {
      asked += 1
      for (let step = 0; step < ports.length; step += 1) {
        const port = ports[(turn + step) % ports.length]
        if (port === undefined || (busy.get(port) ?? 0) >= fleet.concurrency) continue
        turn = (turn + step + 1) % ports.length
        return lease(port)
      }
      return undefined
    },
    onRoom: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return fleet
}
