import type { DrainClock } from '../clock.ts'
import type { DrainableServer } from '../options.ts'
import { allowCloseAgain } from './close-again.ts'
import { closeListener } from './close-listener.ts'
import type { Connections } from './connections.ts'
import type { Gate, Manner } from './gate.ts'
import { type WatchedServer, watchServer } from './watch-server.ts'

/** The servers of one drain. */
export interface Servers {
  readonly size: number
  watch(server: DrainableServer): void
  /** Closes every listener, after `quietMs` at the latest, and from then on each that is told to listen later. */
  closeListeners(quietMs: number): Promise<void>
  /** Also the connections that were open before this drain was made. */
  closeAllConnections(): void
  /** Resolves when each that listened has closed, with every connection. */
  closed(): Promise<unknown>
  /** Lets go of all, once they have been closed; `isOver` where they are not to be used again. */
  release(isOver: boolean): void
}

export function createServers(parts: {
  readonly connections: Connections
  readonly gate: Gate
  readonly manner: () => Manner
  readonly clock: DrainClock
}): Servers {
  const watched = new Map<DrainableServer, WatchedServer>()
  const closing = new Set<WatchedServer>()
  const undo: (() => void)[] = []
  return {
    get size() {
      return watched.size
    },
    watch: (server) => {
      if (!watched.has(server)) watched.set(server, watchServer(server, parts))
    },
    closeListeners: async (quietMs) => {
      const accepted = (): number => parts.connections.acceptedCount
      for (const [server, watch] of watched) if (server.listening) closing.add(watch)
      await Promise.all(
        [...watched.keys()].map((server) => closeListener(server, accepted, { clock: parts.clock, quietMs })),
      )
      for (const [server, watch] of watched) {
        // one that was told to listen and has not begun, or is told so later
        const close = (): unknown => server.close()
        server.on('listening', close)
        undo.push(() => server.off('listening', close))
        if (closing.has(watch)) undo.push(allowCloseAgain(server, watch.closed))
      }
    },
    closeAllConnections: () => {
      for (const server of watched.keys()) server.closeAllConnections?.()
    },
    closed: () => Promise.all([...closing].map(({ closed }) => closed)),
    release: (isOver) => {
      for (const off of undo.splice(0)) off()
      for (const watch of watched.values()) isOver ? watch.end() : watch.release()
      watched.clear()
    },
  }
}
