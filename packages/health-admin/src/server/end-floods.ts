import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const BLANK_LINE = '\r\n\r\n'

/** Whether more heads of requests end in these bytes than `most`. */
function isFlood(bytes: unknown, most: number): boolean {
  if (!Buffer.isBuffer(bytes)) return false
  let at = -1
  for (let count = 0; count <= most; count++) {
    at = bytes.indexOf(BLANK_LINE, at + 1, 'latin1')
    if (at < 0) return false
  }
  return true
}

/**
 * Ends a connection that sends more requests in one piece than anybody needs, before they are parsed: a piece of 64 KiB can
 * hold two thousand, and Node makes each of them whatever became of the first.
 */
export function endFloods(server: Server, most: number): void {
  server.on('connection', (socket: Socket) => {
    // with a listener of its own the bytes come as events, not straight to the parser
    socket.on('data', () => undefined)
    const emit: (name: string | symbol, ...args: unknown[]) => boolean = socket.emit.bind(socket)
    socket.emit = (name: string | symbol, ...args: unknown[]): boolean => {
      if (name !== 'data' || !isFlood(args[0], most)) return emit(name, ...args)
      socket.destroy()
      return true
    }
  })
}
