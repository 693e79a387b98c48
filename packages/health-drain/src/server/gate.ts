import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DrainClock } from '../clock.ts'
import type { DrainHealth, LongLived } from '../options.ts'
import { closeGently } from './close-gently.ts'
import { setConnectionClose } from './connection-close.ts'
import type { Connections } from './connections.ts'
import type { InFlight } from './in-flight.ts'
import { type Refusal, refuseRequest, refuseStream, refuseUpgrade } from './refuse.ts'

/** How requests are met at the moment. */
export interface AdmissionPolicy {
  /** No connection is upgraded any more. */
  readonly isLeaving: boolean
  /** Answers say `Connection: close`. */
  readonly close: boolean
  /** New requests are answered 503. */
  readonly refuse: boolean
}

export interface Gate {
  /** Counts a request once, however often it is told. False when it was answered here and goes no further. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  admitStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean
  /** A request for an upgrade is under way until it has its answer. */
  admitUpgrade(request: IncomingMessage, socket: Socket): void
  /** Answers 503 to one. */
  refuseUpgrade(socket: Duplex): void
  isExempt(target: string | undefined): boolean
  /** Answers of requests that are under way say from now on what the policy says. */
  begin(): void
  /** Streams of events that are open. */
  events(): readonly LongLived[]
  readonly refused: number
}

const pathOf = (target: string | undefined): string => (target ?? '').split('?', 1)[0] ?? ''
const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) || '/' : path)

const EVENTS = /^text\/event-stream\b/i
const HEAD_OF_EVENTS = /^content-type:\s*text\/event-stream\b/im

/** Once its head is out: by what it says, not by what the client would accept. A head that was given to `writeHead` at once is in no public place. */
const isOfEvents = (response: ServerResponse): boolean => {
  const { _header: head } = response as { _header?: unknown }
  const type = String(response.getHeader('content-type'))
  return response.headersSent && (EVENTS.test(type) || HEAD_OF_EVENTS.test(String(head)))
}

export function createGate({
  inFlight,
  connections,
  health,
  exempt,
  retryAfterSeconds,
  policy,
  clock,
}: {
  readonly inFlight: InFlight
  readonly connections: Connections
  readonly health: DrainHealth | undefined
  readonly exempt: readonly string[]
  readonly retryAfterSeconds: number
  readonly policy: () => AdmissionPolicy
  readonly clock: DrainClock
}): Gate {
  const exchanges = new Map<ServerResponse, IncomingMessage>()
  const streams = new Map<ServerHttp2Stream, IncomingHttpHeaders>()
  const minded = new WeakSet<ServerResponse>()
  let hasBegun = false
  let refused = 0

  /** Wherever this health is mounted; where a probe has no path of its own, at the prefix. */
  const isAt = (path: string, probes: readonly string[]): boolean =>
    probes.some((probe) => (probe === '' ? path === (health?.prefix || '/') : path.endsWith(probe)))
  const paths = health === undefined ? [] : Object.values(health.paths)
  /** Only what is shown depends on it. */
  const isProbe = (path: string): boolean => isAt(path, paths)
  const served = new Set(exempt.map(withoutSlash))
  const alive = health === undefined ? [] : [health.paths.live, health.paths.ping]
  const isExempt = (target: string | undefined): boolean => {
    const path = withoutSlash(pathOf(target))
    return served.has(path) || isAt(path, alive)
  }
  /** The request that is refused is not one of those in flight. */
  const refusal = (own = 0): Refusal => ({ retryAfterSeconds, inFlight: Math.max(0, inFlight.count - own) })
  const closeAfterResponse = (request: IncomingMessage, response: ServerResponse): void => {
    if (minded.has(response) || response.headersSent) return
    minded.add(response)
    const { socket } = request
    setConnectionClose(response, () => {
      // also where the app itself says close
      closeGently(request, clock, () => connections.ending(socket))
      return policy().close && connections.markLastResponse(socket, response)
    })
  }

  const admitStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean => {
    if (inFlight.has(stream) || stream.destroyed) return true
    const path = pathOf(headers[':path'])
    const abort = (): void => stream.close(constants.NGHTTP2_CANCEL)
    inFlight.add(stream, {
      label: `${headers[':method']} ${path}`,
      isProbe: isProbe(withoutSlash(path)),
      abort,
    })
    streams.set(stream, headers)
    stream.once('close', () => {
      streams.delete(stream)
      inFlight.remove(stream)
    })
    if (!hasBegun || !policy().refuse || isExempt(headers[':path'])) return true
    refused += 1
    refuseStream(stream, refusal(1))
    return false
  }

  return {
    admit: (request, response) => {
      // of HTTP/2 the stream is what counts, also where middleware shows its request
      const { stream } = response as { stream?: ServerHttp2Stream }
      if (request.httpVersionMajor > 1 && stream !== undefined) return admitStream(stream, request.headers)
      // what is over already would never be taken off again
      if (inFlight.has(response) || response.destroyed || request.socket.destroyed) return true
      const { socket } = request
      const end = (): void => {
        connections.answered(socket, response)
        exchanges.delete(response)
        inFlight.remove(response)
      }
      if (!connections.request(socket, response, end)) {
        request.resume()
        return false
      }
      const path = pathOf(request.url)
      const work = {
        label: `${request.method} ${path}`,
        isProbe: isProbe(withoutSlash(path)),
        abort: () => void socket.destroy(),
      }
      inFlight.add(response, work)
      exchanges.set(response, request)
      response.once('close', end)
      if (!hasBegun) return true
      if (policy().refuse && !isExempt(request.url)) {
        refused += 1
        refuseRequest(request, response, refusal(1), clock)
        return false
      }
      closeAfterResponse(request, response)
      return true
    },
    admitStream,
    admitUpgrade: (request, socket) => {
      const label = `${request.method} ${pathOf(request.url)}`
      inFlight.add(socket, { label, abort: () => void socket.destroy() })
      const { write, end } = socket
      const answering = (method: (...args: never[]) => unknown) =>
        function (this: Socket, ...args: never[]): unknown {
          answered()
          return method.apply(this, args)
        }
      const wrapped = { write: answering(write), end: answering(end) }
      const answered = (): void => {
        // somebody may have wrapped ours
        if ((socket.write as unknown) === wrapped.write) socket.write = write
        if ((socket.end as unknown) === wrapped.end) socket.end = end
        socket.off('close', answered)
        inFlight.remove(socket)
      }
      Object.assign(socket, wrapped)
      socket.once('close', answered)
    },
    refuseUpgrade: (socket) => {
      refused += 1
      refuseUpgrade(socket, refusal())
    },
    isExempt,
    begin: () => {
      hasBegun = true
      for (const [response, request] of exchanges) closeAfterResponse(request, response)
    },
    events: () => [
      ...[...exchanges].flatMap(([response, request]) =>
        isOfEvents(response) ? [{ request, response }] : [],
      ),
      ...[...streams].flatMap(([stream, headers]) =>
        EVENTS.test(String(stream.sentHeaders?.['content-type']))
          ? [{ request: { url: headers[':path'], headers }, stream }]
          : [],
      ),
    ],
    get refused() {
      return refused
    },
  }
}
