import { createServer, type RequestListener, type Server } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { boundConnections } from './bounded-connections.ts'

/** What a server is held to. */
export interface ServerLimits {
  readonly connections: number
  readonly headerBytes: number
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  readonly silentMs: number
  readonly checkMs: number
  readonly closeMs: number
}

/** A server that nobody can load the process through. */
export interface BoundedServer {
  readonly server: Server
  /** Listens no more; what is being answered has its time to end. */
  end(): Promise<void>
}

export function createBoundedServer(
  handler: RequestListener,
  limits: ServerLimits,
  clock: Clock,
): BoundedServer {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkMs,
      // the gate says which, and refuses a request without one as every other
      requireHostHeader: false,
    },
    handler,
  )
  server.timeout = limits.silentMs
  // Node would ask for every body before anybody has looked at the request
  server.on('checkContinue', handler)
  const connections = boundConnections(server, limits.connections)
  return {
    server,
    end: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      connections.closeIdle()
      const giveUp = clock.after(limits.closeMs, connections.closeAll)
      await closed
      giveUp()
    },
  }
}
