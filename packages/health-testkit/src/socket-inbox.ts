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

/** Collects everything that the socket receives from now on. */
export function socketInbox(socket: Socket): SocketInbox {
  let bytes: Buffer = Buffer.alloc(0)
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

  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
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
      return bytes
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
      bytes = bytes.subarray(length)
    },
  }
}
