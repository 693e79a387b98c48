import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2Session, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { DrainableServer } from '../options.ts'
import type { Connections } from './connections.ts'
import type { AdmissionPolicy, Gate } from './gate.ts'
import { intercept } from './intercept.ts'

/** A server that is being watched. */
export interface WatchedServer {
  /** Resolves when its listener and every connection are closed, at once where it has never listened. */
  readonly closed: Promise<void>
  readonly isClosed: boolean
  /** Frees what an HTTP server holds (it checks its connections at an interval), and lets go of it. */
  end(): void
  /** Lets go of it. */
  release(): void
}

/** Something that comes once. */
function createMoment(): { readonly promise: Promise<void>; readonly hasCome: boolean; come(): void } {
  let hasCome = false
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((resolveIt) => {
    resolve = resolveIt
  })
  return {
    promise,
    get hasCome() {
      return hasCome
    },
    come: () => {
      hasCome = true
      resolve()
    },
  }
}

/** Sees every connection and request of a server before its own listeners do, also those that are added later. */
export function watchServer(
  server: DrainableServer,
  {
    connections,
    gate,
    policy,
  }: { readonly connections: Connections; readonly gate: Gate; readonly policy: () => AdmissionPolicy },
): WatchedServer {
  /** By event: whether it ends here. */
  const watchers = new Map<string, (subject: never, beside: never) => boolean>()
  const on = <A, B>(event: string, watch: (subject: A, beside: B) => boolean): void => {
    watchers.set(event, watch as (subject: never, beside: never) => boolean)
  }
  on('connection', (socket: Socket) => {
    connections.accepted(socket)
    return false
  })
  on('secureConnection', (socket: Socket) => {
    connections.secured(socket)
    return false
  })
  on('session', (session: Http2Session) => {
    connections.session(session)
    return false
  })
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    // of HTTP/2 every request is a stream before it is a request
    on(event, (request: IncomingMessage, response: ServerResponse) =>
      request.httpVersionMajor > 1 ? false : !gate.admit(request, response),
    )
  }
  on(
    'stream',
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => !gate.admitStream(stream, headers),
  )
  for (const event of ['upgrade', 'connect']) {
    on(event, (request: IncomingMessage, socket: Socket) => {
      if (policy().isLeaving && !gate.isExempt(request.url)) {
        gate.refuseUpgrade(socket)
        return true
      }
      connections.upgraded(socket, request)
      gate.admitUpgrade(request, socket)
      return false
    })
  }
  let closed = createMoment()
  // one that listens later, or again
  on('listening', () => {
    if (closed.hasCome) closed = createMoment()
    return false
  })
  if (!server.listening) closed.come()
  let isEnding = false
  on('close', () => {
    // the one that `end` causes: its listeners have heard already
    const isOurs = isEnding
    isEnding = false
    if (!isOurs) closed.come()
    return isOurs
  })

  const release = intercept(
    server,
    'emit',
    (event: string, subject: never, beside: never) => watchers.get(event)?.(subject, beside) ?? false,
  )
  return {
    get closed() {
      return closed.promise
    },
    get isClosed() {
      return closed.hasCome
    },
    end: () => {
      if (!closed.hasCome || server.listening) return release()
      isEnding = true
      server.close()
      // it says so in the next turn
      setImmediate(release)
    },
    release,
  }
}
