import { createProblems } from '@baldur/health-core/internal'
import type { DrainClock } from '../clock.ts'
import type { DrainableServer } from '../options.ts'
import { LIMITS } from '../plan/defaults.ts'
import { closeListener } from './close-listener.ts'
import type { Connections } from './connections.ts'
import type { AdmissionPolicy, Gate } from './gate.ts'
import { intercept } from './intercept.ts'
import { A_SERVER, isServer } from './is-server.ts'
import { type WatchedServer, watchServer } from './watch-server.ts'

/** The servers of one drain. */
export interface Servers {
  readonly size: number
  /** Throws a `HealthConfigError` when it is none. */
  watch(server: DrainableServer): void
  /** Closes every listener, at that moment at the latest, and from then on each that is told to listen, or to be watched. */
  closeListeners(at: () => number): Promise<void>
  /** Also the connections that were open before this drain was made. */
  closeAllConnections(): void
  /** Resolves when each has closed, with every connection. */
  closed(): Promise<unknown>
  /** Lets go of all; `isOver` where they have been closed. */
  release(isOver: boolean): void
}

export function createServers(parts: {
  readonly connections: Connections
  readonly gate: Gate
  readonly policy: () => AdmissionPolicy
  readonly clock: DrainClock
}): Servers {
  const watched = new Map<DrainableServer, WatchedServer>()
  const undo: (() => void)[] = []
  let closeAt: (() => number) | undefined

  const close = async (server: DrainableServer, watch: WatchedServer, at: () => number): Promise<void> => {
    // one that was told to listen and has not begun, or is told so later; whoever waits for that looks at its address first
    const closeSoon = (): void => {
      const closeNow = (): void => {
        cancel()
        if (server.listening) server.close()
      }
      const cancel = parts.clock.after(LIMITS.addressMs, closeNow)
      undo.push(closeNow)
    }
    server.on('listening', closeSoon)
    undo.push(() => server.off('listening', closeSoon))
    await closeListener(server, () => parts.connections.acceptedCount, { clock: parts.clock, at })
    // an app's hook may close its server too, which for Node is an error by now
    const closeAgain = (done?: () => void): boolean => {
      if (server.listening) return false
      if (typeof done === 'function') void watch.closed.then(() => process.nextTick(done))
      if (watch.isClosed) process.nextTick(() => server.emit('close'))
      return true
    }
    undo.push(intercept(server, 'close', closeAgain))
  }
  return {
    get size() {
      return watched.size
    },
    watch: (server) => {
      if (!isServer(server)) {
        const problems = createProblems()
        problems.add('watch', A_SERVER, server)
        problems.throwIfAny()
      }
      if (watched.has(server)) return
      const watch = watchServer(server, parts)
      watched.set(server, watch)
      if (closeAt !== undefined) void close(server, watch, closeAt)
    },
    closeListeners: async (at) => {
      closeAt = at
      await Promise.all([...watched].map(([server, watch]) => close(server, watch, at)))
    },
    closeAllConnections: () => {
      for (const server of watched.keys()) server.closeAllConnections?.()
    },
    closed: () => Promise.all([...watched.values()].map(({ closed }) => closed)),
    release: (isOver) => {
      for (const off of undo.splice(0)) off()
      for (const watch of watched.values()) isOver ? watch.end() : watch.release()
      watched.clear()
    },
  }
}
