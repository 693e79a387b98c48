import type { Server, ServerResponse } from 'node:http'

export interface Requests {
  /** How many have no complete answer yet; one whose client hangs up counts no more. */
  readonly running: number
  /** From now on every HTTP/1.1 answer whose head is not yet sent carries `Connection: close`. */
  closeConnections(): void
}

/** Follows the requests of a server, of any framework. */
export function trackRequests(server: Server): Requests {
  const running = new Set<ServerResponse>()
  let isClosing = false
  // before the framework, which may answer at once
  server.prependListener('request', (_request, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
    if (isClosing) response.shouldKeepAlive = false
  })
  // Node says nothing of an answer that waits behind another when their connection breaks
  server.on('connection', (socket) => {
    socket.once('close', () => {
      for (const response of running) if (response.req.socket === socket) running.delete(response)
    })
  })
  return {
    get running() {
      return running.size
    },
    closeConnections() {
      isClosing = true
      for (const response of running) response.shouldKeepAlive = false
    },
  }
}
