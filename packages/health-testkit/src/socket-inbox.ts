import type { Socket } from 'node:net'

/** What has come over a socket and was not taken yet. */
export interface SocketInbox {
  readonly bytes: Buffer
  /** How the other side closed, if it has. */
  readonly over: 'end' | 'reset' | undefined
  /** When the last of it came, on the clock of `performance.now()`. */
  readonly arrivedAt: number
  /** Resolves at the next change of any of these. */
  readonly news: Promise<void>
  /** Drops that many bytes from the front. */
  take(length: number): void
}

const INITIAL_BYTES = 4096

/** Collects everything that the socket receives from now on. */
export function socketInbox(socket: Socket): SocketInbox {
  // grown by doubling: a copy of everything for each chunk would make long bodies quadratic
  let room = Buffer.alloc(INITIAL_BYTES)
  let start = 0
  let end = 0
  let over: SocketInbox['over']
  let arrivedAt = performance.now()
  let wake = () => {}
  let news = Promise.resolve()
  const renew = () => {
    arrivedAt = performance.now()
    wake()
    news = new Promise((resolve) => {
      wake = resolve
    })
  }
  renew()

  socket.on('data', (chunk: Buffer) => {
    if (end + chunk.length > room.length) {
      const larger = Buffer.alloc(2 * (end - start + chunk.length))
      room.copy(larger, 0, start, end)
      room = larger
      end -= start
      start = 0
    }
    end += chunk.copy(room, end)
    renew()
  })
  socket.on('end', () => {
    over ??= 'end'
    renew()
  })
  socket.on('error', () => {
    over ??= 'reset'
    renew()
  })

  return {
    get bytes() {
      return room.subarray(start, end)
    },
    get over() {
      return over
    },
    get arrivedAt() {
      return arrivedAt
    },
    get news() {
      return news
    },
    take(length) {
      start += length
    },
  }
}
