import type { Clock } from '@baldur/health-core'
import type { Fleet, Lease } from '../vocabulary/fleet.ts'
import { createResponseTimer } from './response-timer.ts'

/** Why a request got no runner. */
export type NoRunner = 'full' | 'all_busy' | 'none_ready' | 'closing'

interface Wait {
  granted(lease: Lease): void
  refused(why: NoRunner): void
}

export interface WaitingLine {
  /** Asks for a runner: now if one is free and nobody waits, else in turn. Calls one of the two, once. Returns what leaves the line. */
  enter(wait: Wait): () => void
  readonly size: number
  /** Refuses everybody, now and from now on. */
  close(): void
}

/** First come, first served, and no more than `max`. */
export function createWaitingLine(
  fleet: Fleet,
  { max, timeoutMs }: { readonly max: number; readonly timeoutMs: number },
  clock: Clock,
  onRefused: (why: NoRunner) => void = () => undefined,
): WaitingLine {
  const line = new Map<Wait, () => void>()
  let isServing = false
  let isClosed = false

  const refuse = (wait: Wait, why: NoRunner): void => {
    onRefused(why)
    wait.refused(why)
  }
  const leave = (wait: Wait): boolean => {
    line.get(wait)?.()
    return line.delete(wait)
  }
  const serve = (): void => {
    // who is served may make room at once
    if (isServing) return
    isServing = true
    for (const wait of line.keys()) {
      const lease = fleet.take('direct')
      if (lease === undefined) break
      leave(wait)
      wait.granted(lease)
    }
    isServing = false
  }
  const letGo = fleet.onRoom(serve)

  return {
    enter: (wait) => {
      const lease = line.size === 0 && !isClosed ? fleet.take('direct') : undefined
      if (lease !== undefined) {
        wait.granted(lease)
        return () => undefined
      }
      if (isClosed || line.size >= max) {
        refuse(wait, isClosed ? 'closing' : 'full')
        return () => undefined
      }
      const responseTimer = createResponseTimer(clock, timeoutMs, () => {
        line.delete(wait)
        refuse(wait, fleet.hasReady ? 'all_busy' : 'none_ready')
      })
      line.set(wait, responseTimer.stop)
      responseTimer.start()
      return () => void leave(wait)
    },
    get size() {
      return line.size
    },
    close: () => {
      isClosed = true
      letGo()
      for (const wait of [...line.keys()]) if (leave(wait)) refuse(wait, 'closing')
    },
  }
}
