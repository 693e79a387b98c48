import type { Clock } from '@baldur/health-core'

/** Waits for somebody, whenever it is their turn, for so long each time. */
export interface Patience {
  /** It is their turn, from now on with the whole time, or so much of it. A shorter time than before begins after `rest` alone. */
  wait(forMs?: number): void
  /** It is not. */
  rest(): void
}

/** Calls `onOver` once when somebody took longer than `ms`, and what has come by then has been read. Holds one timer, however often it begins anew. */
export function createPatience(clock: Clock, ms: number, onOver: () => void): Patience {
  let until: number | undefined
  let cancel: (() => void) | undefined
  const look = (): void => {
    cancel = undefined
    if (until === undefined) return
    const left = until - clock.now()
    if (left > 0) {
      // a timer of Node may fire a little early
      cancel = clock.after(Math.max(1, left), look)
      return
    }
    // this process itself may have stood still: what has come meanwhile is read before anybody is judged
    const turn = setImmediate(judge)
    cancel = () => clearImmediate(turn)
  }
  const judge = (): void => {
    cancel = undefined
    if (until !== undefined && until > clock.now()) {
      look()
      return
    }
    until = undefined
    onOver()
  }
  return {
    wait: (forMs = ms) => {
      until = clock.now() + forMs
      cancel ??= clock.after(forMs, look)
    },
    rest: () => {
      until = undefined
      cancel?.()
      cancel = undefined
    },
  }
}
