import { createServer, type RequestListener, type Server } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { boundConnections } from './bounded-connections.ts'
import { endFloods } from './end-floods.ts'

/** What a server is held to. */
export interface ServerLimits {
  readonly connections: number
  readonly pipelined: number
  readonly pieceRequests: number
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
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    // the gate says which, and refuses a request without one as every other
    requireHostHeader: false,
  })
  server.timeout = limits.silentMs
  // Node 20 would leave those out that come after the first thousand, and the gate has to see every one
  server.maxHeadersCount = 0
  endFloods(server, limits.pieceRequests)
  const connections = boundConnections(server, limits)
  const listener: RequestListener = (request, response) => {
    if (connections.admit(request, response)) handler(request, response)
  }
  // Node would ask for every body, or answer 417, before anybody has looked at the request
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, listener)
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
