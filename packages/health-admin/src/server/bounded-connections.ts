import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, so many at most. */
export interface BoundedConnections {
  readonly size: number
  /** Ends those on which nothing is being answered. */
  closeIdle(): void
  closeAll(): void
}

/**
 * Beyond the limit the connection goes that has waited longest without a request: what only holds connections open
 * must not keep a probe out. While all are being answered the new one goes.
 */
export function boundConnections(server: Server, limit: number): BoundedConnections {
  // in order of arrival
  const open = new Set<Socket>()
  // weak: Node does not tell of answers that stood in line behind another when their connection ended
  const answering = new WeakMap<Socket, number>()
  const isIdle = (socket: Socket): boolean => !answering.has(socket)

  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size <= limit) return
    const [longest = socket] = [...open].filter(isIdle)
    open.delete(longest)
    longest.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1
      if (left === 0) answering.delete(socket)
      else answering.set(socket, left)
      // back to the end of the line: it has just been of use
      if (open.delete(socket)) open.add(socket)
    })
  })
  return {
    get size() {
      return open.size
    },
    closeIdle: () => {
      for (const socket of open) if (isIdle(socket)) socket.end()
    },
    closeAll: () => {
      for (const socket of open) socket.destroy()
    },
  }
}
