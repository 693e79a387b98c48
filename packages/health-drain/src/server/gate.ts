import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { DrainClock } from '../clock.ts'
import type { DrainHealth } from '../options.ts'
import { sayClose } from './connection-close.ts'
import type { Connections } from './connections.ts'
import type { InFlight } from './in-flight.ts'
import { type Refusal, refuseRequest, refuseStream } from './refuse.ts'

/** How requests are met at the moment. */
export interface Manner {
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
  isExempt(target: string | undefined): boolean
  refusal(): Refusal
  /** Answers of requests that are under way say from now on what the manner says. */
  begin(): void
  /** Streams of events that are open. */
  events(): readonly { readonly request: IncomingMessage; readonly response: ServerResponse }[]
  readonly refused: number
  readonly admitted: number
}

const pathOf = (target: string | undefined): string => (target ?? '').split('?', 1)[0] ?? ''
const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

/** A browser asks for them this way. */
const isForEvents = (request: IncomingMessage, response: ServerResponse): boolean =>
  `${request.headers.accept} ${response.getHeader('content-type')}`.includes('text/event-stream')

export function createGate({
  inFlight,
  connections,
  health,
  exempt,
  retryAfterSeconds,
  manner,
  clock,
}: {
  readonly inFlight: InFlight
  readonly connections: Connections
  readonly health: DrainHealth | undefined
  readonly exempt: readonly string[]
  readonly retryAfterSeconds: number
  readonly manner: () => Manner
  readonly clock: DrainClock
}): Gate {
  const exchanges = new Map<ServerResponse, IncomingMessage>()
  const minded = new WeakSet<ServerResponse>()
  let hasBegun = false
  let refused = 0
  let admitted = 0

  const paths = health === undefined ? [] : Object.values(health.paths).filter((path) => path !== '')
  /** Of this health, wherever it is mounted; only what is shown depends on it. */
  const isProbe = (path: string): boolean => paths.some((probe) => path.endsWith(probe))
  const served = new Set([
    ...exempt.map(withoutSlash),
    ...(health === undefined
      ? []
      : [health.paths.live, health.paths.ping].map((path) => health.prefix + path)),
  ])
  const isExempt = (target: string | undefined): boolean => served.has(withoutSlash(pathOf(target)))
  const refusal = (): Refusal => ({ retryAfterSeconds, inFlight: inFlight.count })
  const mind = (request: IncomingMessage, response: ServerResponse): void => {
    if (minded.has(response) || response.headersSent) return
    minded.add(response)
    sayClose(response, () => manner().close && connections.sayLast(request.socket, response))
  }

  return {
    admit: (request, response) => {
      if (inFlight.has(response)) return true
      const { socket } = request
      const end = (): void => {
        connections.answered(socket, response)
        exchanges.delete(response)
        inFlight.remove(response)
      }
      if (!connections.request(socket, response, end)) return false
      const path = pathOf(request.url)
      const work = {
        label: `${request.method} ${path}`,
        isProbe: isProbe(withoutSlash(path)),
        abort: () => void socket.destroy(),
      }
      admitted += 1
      inFlight.add(response, work)
      exchanges.set(response, request)
      response.once('close', end)
      if (!hasBegun) return true
      if (manner().refuse && !isExempt(request.url)) {
        refused += 1
        refuseRequest(request, response, refusal(), clock)
        return false
      }
      mind(request, response)
      return true
    },
    admitStream: (stream, headers) => {
      const path = pathOf(headers[':path'])
      const abort = (): void => stream.close(constants.NGHTTP2_CANCEL)
      const label = `${headers[':method']} ${path}`
      if (!inFlight.add(stream, { label, isProbe: isProbe(withoutSlash(path)), abort })) return true
      admitted += 1
      stream.once('close', () => inFlight.remove(stream))
      if (!hasBegun || !manner().refuse || isExempt(headers[':path'])) return true
      refused += 1
      refuseStream(stream, refusal())
      return false
    },
    isExempt,
    refusal,
    begin: () => {
      hasBegun = true
      for (const [response, request] of exchanges) mind(request, response)
    },
    events: () =>
      [...exchanges]
        .filter(([response, request]) => isForEvents(request, response))
        .map(([response, request]) => ({ request, response })),
    get refused() {
      return refused
    },
    get admitted() {
      return admitted
    },
  }
}
