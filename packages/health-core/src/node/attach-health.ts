import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer, AnswerFunction } from '../engine/answer.ts'
import type { ProbeResponse } from '../vocabulary/exchange.ts'
import { checkServer, readMounting } from './read-mounting.ts'
import { deliver, type WritableResponse, writeAnswer } from './write-response.ts'

/** The required part of a server of `node:http`, `node:https` or `node:http2`. */
export interface AttachableServer {
  readonly listening: boolean
  address(): unknown
  emit(event: string, ...args: never[]): boolean
}

/** Options of `attachHealth`. */
export interface AttachHealthOptions {
  /** Path prefix of the endpoints. @default the health's own prefix */
  readonly prefix?: string | undefined
}

interface Http2Stream {
  readonly destroyed: boolean
  readonly headersSent: boolean
  on(event: 'error', listener: () => void): unknown
  respond(headers: Readonly<Record<string, string | number>>, options: { readonly endStream: boolean }): void
  end(body: string): unknown
  close(): unknown
}

type Http2Headers = Readonly<Record<string, unknown>>

/** A connection reset by a prober is no error of ours; without a listener it would end the process. */
const ignore = (): void => undefined

/** Where the app listens for upgrades, a request that offers one comes with the bare socket. It is answered like any other, and the connection ends. */
function answerUpgrade(request: IncomingMessage, socket: Socket, answer: Answer): void {
  socket.on('error', ignore)
  // discard remaining input so that 'end' fires
  socket.resume()
  const response = new ServerResponse(request)
  try {
    response.assignSocket(socket)
  } catch {
    // an earlier request on this connection is still unanswered: its client would take this response for its own
    socket.destroy()
    return
  }
  writeAnswer(response, answer)
}

function writeToStream(stream: Http2Stream, { status, headers, body }: ProbeResponse): void {
  if (stream.destroyed || stream.headersSent) return
  const isEmpty = body === ''
  stream.respond({ ':status': status, ...headers }, { endStream: isEmpty })
  // a body of the request that is never read does not hold the stream open: Node resets it after the answer
  if (!isEmpty) stream.end(body)
}

/**
 * Answers probes before any listener of the server sees them, so that no auth, rate limit, redirect, load shedding or
 * framework shutdown gets between a prober and its answer. Every other request goes to the server's own listeners, in
 * their order, also to those added later. Returns the function that detaches it. Throws a
 * `HealthConfigError` for anything but a server.
 */
export function attachHealth(
  server: AttachableServer,
  health: { readonly answer: AnswerFunction },
  options: AttachHealthOptions = {},
): () => void {
  checkServer(server)
  const mount = readMounting(health, options, ['prefix'])
  const answered = (
    method: unknown,
    target: unknown,
    message: { readonly headers: Readonly<Record<string, unknown>> },
    send: (answer: Answer) => void,
  ): boolean => {
    const answer = health.answer({ method: String(method), target: String(target), message, ...mount })
    if (answer !== undefined) send(answer)
    return answer !== undefined
  }
  const request = (asked: IncomingMessage, response: WritableResponse): boolean =>
    answered(asked.method, asked.url, asked, (answer) => writeAnswer(response, answer))
  const upgrade = (asked: IncomingMessage, socket: Socket): boolean =>
    answered(asked.method, asked.url, asked, (answer) => answerUpgrade(asked, socket, answer))
  const stream = (asked: Http2Stream, headers: Http2Headers): boolean =>
    answered(headers[':method'], headers[':path'], { headers }, (answer) => {
      asked.on('error', ignore)
      deliver(
        answer,
        (ready) => writeToStream(asked, ready),
        () => asked.close(),
      )
    })
  /** Handlers by event; each returns whether it answered a probe. */
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
  const wasOwn = Object.hasOwn(server, 'emit')
  const before = server.emit

  const emit = function (this: AttachableServer, event: string, ...args: never[]): boolean {
    const [subject, beside] = args
    if (isAttached && takers.get(event)?.(subject as never, beside as never)) return true
    // the prototype's method may have been wrapped since
    const next = wasOwn ? before : (Object.getPrototypeOf(server) as AttachableServer).emit
    return next.call(this, event, ...args)
  }
  server.emit = emit
  return () => {
    isAttached = false
    // another wrapper may sit on top; then ours stays in the chain and passes everything on
    if (server.emit !== emit) return
    if (wasOwn) server.emit = before
    else Reflect.deleteProperty(server, 'emit')
  }
}
