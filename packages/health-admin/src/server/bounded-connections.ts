import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, so many at most. */
export interface BoundedConnections {
  readonly size: number
  /** Whether a request is to be answered. Where too many stand in line on one connection it is not, and the connection is gone. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Ends those on which nothing is being answered. */
  closeIdle(): void
  closeAll(): void
}

/**
 * Beyond the limit the connection goes that has waited longest without a request, else the one that has its answer and
 * does not read it: what only holds connections open must not keep a probe out. While all others are being answered the new
 * one goes.
 */
export function boundConnections(
  server: Server,
  { connections, pipelined }: { readonly connections: number; readonly pipelined: number },
): BoundedConnections {
  // in order of arrival
  const open = new Set<Socket>()
  // weak: Node does not tell of answers that stood in line behind another when their connection ended
  const answering = new WeakMap<Socket, Set<ServerResponse>>()
  const isIdle = (socket: Socket): boolean => (answering.get(socket)?.size ?? 0) === 0
  const isUnread = (socket: Socket): boolean =>
    [...(answering.get(socket) ?? [])].every((response) => response.writableEnded)

  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size <= connections) return
    const all = [...open].filter((one) => one !== socket)
    const longest = all.find(isIdle) ?? all.find(isUnread) ?? socket
    open.delete(longest)
    longest.destroy()
  })
  return {
    get size() {
      return open.size
    },
    admit: ({ socket }, response) => {
      // Node hands on every request of what it has read, also when the connection has gone meanwhile
      if (socket.destroyed) return false
      const answers = answering.get(socket) ?? new Set()
      if (answers.size >= pipelined) {
        socket.destroy()
        return false
      }
      answering.set(socket, answers.add(response))
      response.once('close', () => {
        answers.delete(response)
        // back to the end of the line: it has just been of use
        if (open.delete(socket)) open.add(socket)
      })
      return true
    },
    closeIdle: () => {
      for (const socket of open) if (isIdle(socket)) socket.end()
    },
    closeAll: () => {
      for (const socket of open) socket.destroy()
    },
  }
}
