import { once } from 'node:events'
import { connect } from 'node:net'
import { parseResponse, type RawResponse } from './raw-response.ts'
import { socketInbox } from './socket-inbox.ts'
import { type Timer, timer, within } from './within.ts'

export interface RawConnectionOptions {
  port: number
  /** @default '127.0.0.1' */
  host?: string
  /** For connecting and for each read; long enough for a busy machine. @default 15000 */
  timeoutMs?: number
}

export interface ReadOptions {
  /** Of the request that is answered: a response to HEAD has no body. @default 'GET' */
  method?: string
  /** @default that of the connection */
  timeoutMs?: number
}

export type TimedResponse = RawResponse & {
  /** From the last `send` before the response was complete to that moment, in milliseconds. */
  ms: number
}

/** A socket on which bytes are sent exactly as given and HTTP/1.x responses are read one at a time. */
export interface RawConnection {
  send(data: string | Uint8Array): void
  /** Resolves with the next response, in the order of the calls; rejects with what was received instead. */
  read(options?: ReadOptions): Promise<TimedResponse>
  /** What was received and is not part of a response that was read, one character a byte. */
  readonly unread: string
  /** Resolves once the server has ended or reset the connection. */
  closed(options?: { timeoutMs?: number }): Promise<'end' | 'reset'>
  /** Sends no more, still reads: a half-closed connection. */
  end(): void
  /** Hangs up with a TCP reset. */
  reset(): void
  /** Hangs up. */
  close(): void
}

const SHOWN_BYTES = 500

/** Connects; rejects when the server refuses or the timeout ends. */
export async function rawConnection(options: RawConnectionOptions): Promise<RawConnection> {
  const { port, host = '127.0.0.1', timeoutMs: usualTimeoutMs = 15_000 } = options
  const socket = connect({ port, host, noDelay: true, allowHalfOpen: true })
  const what = () => `a connection to ${host}:${port}`
  await within(timer(usualTimeoutMs), once(socket, 'connect'), what).catch((error) => {
    socket.destroy()
    throw error
  })
  const inbox = socketInbox(socket)
  let sentAt = performance.now()
  let turn: Promise<unknown> = Promise.resolve()

  const soFar = () => {
    const shown = JSON.stringify(inbox.bytes.toString('latin1', 0, SHOWN_BYTES))
    return `received so far (${inbox.bytes.length} bytes): ${shown}`
  }
  const next = async (method: string, time: Timer): Promise<TimedResponse> => {
    for (;;) {
      const { bytes, over, arrivedAt, news } = inbox
      const parsed = parseResponse(bytes, { method, ended: over === 'end' })
      if ('response' in parsed) {
        inbox.take(parsed.length)
        return { ...parsed.response, ms: arrivedAt - sentAt }
      }
      const missing = () => `a response, missing ${parsed.missing}; ${soFar()}`
      if (over !== undefined) throw new Error(`the connection's ${over} came before ${missing()}`)
      await within(time, news, missing)
    }
  }

  return {
    send(data) {
      sentAt = performance.now()
      socket.write(data)
    },
    read({ method = 'GET', timeoutMs = usualTimeoutMs } = {}) {
      const response = turn.then(() => next(method, timer(timeoutMs)))
      turn = response.catch(() => {})
      return response
    },
    get unread() {
      return inbox.bytes.toString('latin1')
    },
    async closed({ timeoutMs = usualTimeoutMs } = {}) {
      const time = timer(timeoutMs)
      while (inbox.over === undefined) {
        await within(time, inbox.news, () => `the connection to close; ${soFar()}`)
      }
      return inbox.over
    },
    end: () => socket.end(),
    reset: () => socket.resetAndDestroy(),
    close: () => socket.destroy(),
  }
}
