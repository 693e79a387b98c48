import type { Answer, AnswerFunction } from '../engine/answer.ts'
import type { ProbeResponse } from '../vocabulary/exchange.ts'
import { mountPrefix } from './mount-prefix.ts'
import { deliver, type WritableResponse, writeAnswer } from './write-response.ts'

/** What is needed of a server of `node:http`, `node:https` or `node:http2`. */
export interface AttachableServer {
  emit(event: string, ...args: never[]): boolean
}

export interface AttachHealthOptions {
  /** Where the endpoints are mounted, in place of the health's own prefix. */
  readonly prefix?: string
}

interface IncomingRequest {
  readonly method?: string
  readonly url?: string
}

interface Http2Stream {
  readonly destroyed: boolean
  readonly headersSent: boolean
  on(event: 'error', listener: () => void): unknown
  respond(headers: Readonly<Record<string, string | number>>, options: { readonly endStream: boolean }): void
  end(body: string): unknown
  close(): unknown
  resume(): unknown
}

type Http2Headers = Readonly<Record<string, unknown>>

interface RawSocket {
  on(event: 'error', listener: () => void): unknown
  end(text: string): unknown
  destroy(): unknown
}

/** A prober that resets its connection is no error of ours, and unheard it would end the process. */
const ignore = (): void => undefined

/** Where the app listens for upgrades, a request that offers one comes with the bare socket. The reason phrase may be empty. */
function writeToSocket(socket: RawSocket, { status, headers, body }: ProbeResponse): void {
  const all = { ...headers, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${body}`)
}

function writeToStream(stream: Http2Stream, { status, headers, body }: ProbeResponse): void {
  if (stream.destroyed || stream.headersSent) return
  const isEmpty = body === ''
  stream.respond({ ':status': status, ...headers }, { endStream: isEmpty })
  if (!isEmpty) stream.end(body)
  // a body that nobody reads would hold the stream open
  stream.resume()
}

/**
 * Answers probes before any listener of the server sees them, so that no auth, rate limit, redirect, load shedding or
 * framework shutdown gets between a prober and its answer. Every other request goes to the server's own listeners, in
 * their order, also to those added later. Returns what detaches it.
 */
export function attachHealth(
  server: AttachableServer,
  health: { readonly answer: AnswerFunction },
  { prefix }: AttachHealthOptions = {},
): () => void {
  const mount = mountPrefix(prefix)
  const answered = (method: unknown, target: unknown, send: (answer: Answer) => void): boolean => {
    const answer = health.answer({ method: String(method), target: String(target), ...mount })
    if (answer !== undefined) send(answer)
    return answer !== undefined
  }
  const request = (asked: IncomingRequest, response: WritableResponse): boolean =>
    answered(asked.method, asked.url, (answer) => writeAnswer(response, answer))
  const upgrade = (asked: IncomingRequest, socket: RawSocket): boolean =>
    answered(asked.method, asked.url, (answer) => {
      socket.on('error', ignore)
      deliver(
        answer,
        (ready) => writeToSocket(socket, ready),
        () => socket.destroy(),
      )
    })
  const stream = (asked: Http2Stream, headers: Http2Headers): boolean =>
    answered(headers[':method'], headers[':path'], (answer) => {
      asked.on('error', ignore)
      deliver(
        answer,
        (ready) => writeToStream(asked, ready),
        () => asked.close(),
      )
    })
  /** By event: whether it was a probe, and is answered. */
  const takers = new Map<unknown, (subject: never, beside: never) => boolean>([
    ['request', request],
    // a request with Expect comes as an event of its own where the app listens for it
    ['checkContinue', request],
    ['checkExpectation', request],
    ['upgrade', upgrade],
    // HTTP/2 comes as a stream first, also where the app listens for requests
    ['stream', stream],
  ])
  let isAttached = true
  const before = server.emit

  const emit = function (this: AttachableServer, event: string, ...args: never[]): boolean {
    const [subject, beside] = args
    if (isAttached && takers.get(event)?.(subject as never, beside as never)) return true
    return before.call(this, event, ...args)
  }
  server.emit = emit
  return () => {
    isAttached = false
    // somebody may have wrapped it after us; then ours stays in the chain and lets everything through
    if (server.emit === emit) server.emit = before
  }
}
