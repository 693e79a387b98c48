import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import { type ErrorAnswer, errorAnswer } from '../rules/error-answer.ts'
import { hasBody } from '../rules/find-fault.ts'
import { forwardHeaders } from '../rules/forward-headers.ts'
import { FIXED } from '../settings/defaults.ts'
import type { ErrorType } from '../vocabulary/error-type.ts'
import type { Exchange, ExchangeEnd } from '../vocabulary/exchange.ts'
import type { Fleet, Lease } from '../vocabulary/fleet.ts'
import { clientBody } from './client-body.ts'
import { clientSink } from './client-sink.ts'
import { respond } from './respond.ts'
import { retryOnce } from './retry-once.ts'
import type { NoRunner, WaitingLine } from './waiting-line.ts'

export interface DirectParts {
  readonly fleet: Fleet
  readonly line: WaitingLine
  readonly exchange: Exchange
  readonly logger: Logger
  readonly clock: Clock
  /** How long a runner may take, in milliseconds. */
  readonly requestTimeoutMs: number
  /** How long a client may, in milliseconds. */
  readonly clientIdleMs: number
}

/** What the request line came to. */
export interface DirectTarget {
  readonly target: string
  /** Named by the target itself. */
  readonly host: string | undefined
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Aborted when the client has left. */
  readonly gone: AbortController
}

const retryAfterSeconds = FIXED.retryAfterSeconds

/** Each has its own words; none was handed to a runner. */
const NO_RUNNER: Readonly<Record<NoRunner, ErrorAnswer>> = {
  full: errorAnswer('runner_scheduling_failure', { detail: 'too many requests wait', retryAfterSeconds }),
  all_busy: errorAnswer('runner_scheduling_failure', { retryAfterSeconds }),
  none_ready: errorAnswer('startup_timeout', { retryAfterSeconds }),
  closing: errorAnswer('runner_scheduling_failure', { detail: 'the gateway is leaving', retryAfterSeconds }),
}

export const refusalOf = (why: NoRunner): ErrorAnswer => NO_RUNNER[why]

/** 128 random bits. */
export const newRequestId = (): string => randomBytes(16).toString('hex')

/** The answer to a request whose runner failed it. */
export function failureOf({ type, wasHandedOver }: ExchangeEnd & { kind: 'failed' }): ErrorAnswer {
  // the same request would be refused again
  const isForLater = !wasHandedOver && type !== 'bad_request'
  return errorAnswer(type, isForLater ? { retryAfterSeconds } : {})
}

/** Aborts when the client is gone before it has its answer, and says so. Whoever breaks its connection here aborts it before. */
export function watchClient(
  response: ServerResponse,
  requestId: string,
  logger: Pick<Logger, 'debug'>,
): AbortController {
  const gone = new AbortController()
  const type: ErrorType = 'client_disconnected'
  response.once('close', () => {
    if (response.writableFinished || gone.signal.aborted) return
    logger.debug(`gateway: ${requestId} ${type}: its connection closed before it had its answer`)
    gone.abort()
  })
  return gone
}

/** The half that has gone out cannot be taken back: the client has to see that it is no whole. */
export function breakOff(socket: Socket, gone: AbortController): void {
  gone.abort()
  socket.resetAndDestroy()
}

/** What the client still sends after its answer is read past, for so long. */
function boundRest(request: IncomingMessage, response: ServerResponse, parts: DirectParts): void {
  response.once('finish', () => {
    if (request.complete) return
    const { socket } = request
    request.once(
      'close',
      parts.clock.after(parts.clientIdleMs, () => socket.destroy()),
    )
    request.resume()
  })
}

/** Gives requests to runners while their clients wait. */
export function serveDirect(
  parts: DirectParts,
): (request: IncomingMessage, response: ServerResponse, target: DirectTarget, onBegin: () => void) => void {
  const { fleet, line, exchange, logger, clock, requestTimeoutMs, clientIdleMs } = parts

  const pass = async (
    { request, response, requestId, gone }: Asked,
    { target, host }: DirectTarget,
    first: Lease,
  ): Promise<void> => {
    const { method = '', rawHeaders: headers, socket } = request
    const fail = (answer: ErrorAnswer): void => {
      if (response.headersSent) breakOff(socket, gone)
      else respond(response, answer, requestId)
    }
    const onIdle = (): void => {
      gone.abort()
      response.shouldKeepAlive = false
      fail(errorAnswer('bad_request', { status: 408, detail: 'the body did not come in time' }))
    }
    const body = hasBody(headers) ? clientBody(request, { idleMs: clientIdleMs, clock, onIdle }) : undefined
    const client = socket.remoteAddress
    const outgoing = {
      ...{ method, target, body },
      headers: forwardHeaders({ headers, client, requestId, host }),
    }
    const sink = clientSink(response, { idleMs: clientIdleMs, requestId })
    const give = (lease: Lease): Promise<ExchangeEnd> =>
      exchange(lease, outgoing, sink, { timeoutMs: requestTimeoutMs, bound: 'pieces', gone: gone.signal })

    const end = await retryOnce(fleet, first, give, gone.signal)
    body?.destroy()
    if (end.kind !== 'failed') return
    logger.debug(`gateway: ${requestId} ${end.type}: ${end.detail}`)
    fail(failureOf(end))
  }

  return (request, response, target, onBegin) => {
    const requestId = newRequestId()
    const gone = watchClient(response, requestId, logger)
    boundRest(request, response, parts)
    const leave = line.enter({
      granted: (lease) => {
        onBegin()
        pass({ request, response, requestId, gone }, target, lease).catch((error: unknown) => {
          lease.end({ kind: 'inconclusive' })
          logger.error(`gateway: ${requestId} failed: ${formatError(error)}`)
          if (response.headersSent) breakOff(request.socket, gone)
          else respond(response, errorAnswer('internal_error'), requestId)
        })
      },
      refused: (why) => respond(response, refusalOf(why), requestId),
    })
    gone.signal.addEventListener('abort', leave, { once: true })
  }
}
