import type { Clock } from '@baldur/health-core'

/** Timer for the party whose data is awaited: the client or the runner. */
export interface ResponseTimer {
  /** Starts the full time anew, or `forMs` milliseconds. A time shorter than the running one takes effect only after `stop`. */
  start(forMs?: number): void
  /** Stops the timer; nothing is awaited. */
  stop(): void
}

/** Creates a timer that calls `onOver` once after `ms` milliseconds, when the data that arrived by then has been read. Keeps a single timer, however often it restarts. */
export function createResponseTimer(clock: Clock, ms: number, onOver: () => void): ResponseTimer {
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
    // this process itself may have been blocked: data that arrived meanwhile is read before the timeout counts
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
    start: (forMs = ms) => {
      until = clock.now() + forMs
      cancel ??= clock.after(forMs, look)
    },
    stop: () => {
      until = undefined
      cancel?.()
      cancel = undefined
    },
  }
}
