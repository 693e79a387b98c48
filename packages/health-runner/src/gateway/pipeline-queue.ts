import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface PipelineQueue {
  /** Begins a request when those before it on its connection are answered. */
  take(turn: Turn, begin: () => void): void
  /** Begins what Node has taken off HTTP, and left the connection to us, when all requests before it are answered. Not where the connection ends with them. */
  last(socket: Socket, begin: () => void): void
  /** The one that is being answered. */
  current(socket: Socket): Turn | undefined
}

/**
 * Requests that a client sends without waiting for answers are begun one after the other: side by side a later one could
 * overtake one that it builds on. Beyond `most` that wait the connection ends.
 */
export function createPipelineQueue(most: number): PipelineQueue {
  /** The first is being answered. Weak: what waits goes with its connection. */
  const queues = new WeakMap<Socket, { readonly turn: Turn; readonly begin: () => void }[]>()
  return {
    take: (turn, begin) => {
      const { socket } = turn.request
      // Node hands on every request of what it has read, also when the connection has gone meanwhile
      if (socket.destroyed) return
      const queue = queues.get(socket) ?? []
      queues.set(socket, queue)
      queue.push({ turn, begin })
      const next = (): void => {
        // the time that a client had for the answer before; Node takes it off between requests, not from one in line to the next
        socket.setTimeout(0)
        queue[0]?.begin()
      }
      turn.response.once('close', () => {
        queue.shift()
        if (!socket.destroyed && queue.length > 0) next()
      })
      if (queue.length > most + 1) socket.destroy()
      else if (queue.length === 1) next()
    },
    last: (socket, begin) => {
      const before = queues.get(socket)?.at(-1)?.turn.response
      if (before === undefined) return begin()
      // Node does this for connections that it has kept
      const onDrain = (): void => void queues.get(socket)?.[0]?.turn.response.emit('drain')
      // who ends what it says leaves, as it does before every other answer
      const onEnd = (): void => void socket.destroy()
      socket.on('drain', onDrain).on('end', onEnd)
      before.once('close', () => {
        socket.off('drain', onDrain).off('end', onEnd).setTimeout(0)
        if (socket.writable) begin()
      })
    },
    current: (socket) => queues.get(socket)?.[0]?.turn,
  }
}
