import type { Socket } from 'node:net'

const CONTINUE = Buffer.from('HTTP/1.1 100')
const BLANK_LINE = '\r\n\r\n'

/**
 * Reads past every `100 Continue` that an answer begins with. HTTP allows it unasked, and undici would break the
 * connection: a healthy runner would be taken for a broken one. A head that has no end within `most` bytes goes through.
 */
export function skipContinue(socket: Socket, most: number): void {
  const { push } = socket
  let held: Buffer = Buffer.alloc(0)
  const letThrough = (chunk: Buffer | null): boolean => {
    socket.push = push
    const isTaken = held.length === 0 || push.call(socket, held)
    return chunk === null ? push.call(socket, null) : isTaken
  }
  socket.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) return letThrough(null)
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      const start = held.subarray(0, CONTINUE.length)
      if (!CONTINUE.subarray(0, start.length).equals(start)) return letThrough(held)
      const end = held.indexOf(BLANK_LINE)
      if (end < 0) return held.length > most ? letThrough(held) : true
      held = held.subarray(end + BLANK_LINE.length)
      if (held.length === 0) return true
    }
  }
}
