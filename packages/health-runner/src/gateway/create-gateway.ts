import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import { errorAnswer } from '../rules/error-answer.ts'
import { findFault } from '../rules/find-fault.ts'
import { readTarget } from '../rules/read-target.ts'
import { FIXED } from '../settings/defaults.ts'
import type { GatewaySettings } from '../settings/settings.ts'
import type { Exchange } from '../vocabulary/exchange.ts'
import type { Fleet } from '../vocabulary/fleet.ts'
import { answerClientErrors } from './answer-client-errors.ts'
import { bareResponse } from './bare-response.ts'
import { createFrontServer } from './create-server.ts'
import { createPipelineQueue } from './pipeline-queue.ts'
import { createRefusalLog } from './refusal-log.ts'
import { respond, respondAndEnd } from './respond.ts'
import { type DirectTarget, serveDirect } from './serve-direct.ts'
import { isUpgrade, serveAsOrdinary, serveUpgrades } from './serve-upgrades.ts'
import { createWaitingLine, type NoRunner } from './waiting-line.ts'

/** True when the request is theirs, and they answer it. */
export type Taker = (request: IncomingMessage, response: ServerResponse) => boolean

export interface GatewayParts {
  readonly fleet: Fleet
  readonly exchange: Exchange
  readonly logger: Logger
  readonly clock: Clock
  /** Takes what is below `/queue`; an absolute target comes to it as its path. */
  readonly queue?: Taker | undefined
  /** Takes what is at `<prefix>/health/…`, an absolute target as its path too; asked first. */
  readonly probes?: Taker | undefined
  /** How long a client may take between two pieces, in milliseconds. @default 60000 */
  readonly clientIdleMs?: number | undefined
}

export interface Gateway {
  /** It does not listen yet. */
  readonly server: Server
  /** Direct requests that wait for a free runner. */
  readonly waiting: number
  /** Upgraded connections that are open. */
  readonly upgraded: number
  /** Answers those in line 503 and lets go of the fleet. Does not close the server. */
  close(): void
}

/** A client that breaks its connection is no error of ours, and unheard it would end the process. */
const ignore = (): void => undefined

const nobody: Taker = () => false
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** For the log. */
const REFUSED: Readonly<Record<Exclude<NoRunner, 'closing'>, string>> = {
  full: '503, too many wait for a runner',
  all_busy: '503, all runners were busy for as long as a request may wait',
  none_ready: '504, no runner was ready for as long as a request may wait',
}

/** Makes the server in front of the runners. */
export function createGateway(settings: GatewaySettings, parts: GatewayParts): Gateway {
  const { fleet, logger, clock, queue = nobody, probes = nobody, clientIdleMs = FIXED.clientIdleMs } = parts
  const note = createRefusalLog({ logger, clock })
  const line = createWaitingLine(fleet, settings.waitingLine, clock, (why) => {
    if (why !== 'closing') note(REFUSED[why])
  })
  const shared = { ...parts, line, clientIdleMs, requestTimeoutMs: settings.requestTimeoutMs }
  const direct = serveDirect(shared)
  const upgrades = serveUpgrades(shared)
  const turns = createPipelineQueue(FIXED.pipelined)
  const server = createFrontServer(isUpgrade)

  /** Where a request is to go that no runner is too good for; undefined when it has its answer, or gets it from the queue. */
  const admit = (
    request: IncomingMessage,
    response: ServerResponse,
    onQueued?: () => void,
  ): DirectTarget | undefined => {
    const { method = '', url = '', httpVersion, rawHeaders: headers } = request
    const target = readTarget(method, url)
    if (target.kind === 'path') request.url = target.target
    if (probes(request, response)) return undefined
    const fault = findFault({ method, httpVersion, headers })
    if (fault !== undefined) {
      response.shouldKeepAlive = false
      const allow = fault.status === 405 ? ['Allow', ALLOW] : []
      const { status, why: detail } = fault
      respond(response, errorAnswer('bad_request', { status, detail, headers: allow }))
    } else if (target.kind === 'refused') {
      respond(response, errorAnswer('bad_request', { detail: target.why }))
    } else if (target.kind === 'gateway') {
      respond(response, { status: 204, headers: ['Allow', ALLOW], body: '' })
    } else if (queue(request, response)) {
      onQueued?.()
    } else return target
    return undefined
  }
  const guarded = (response: ServerResponse, deed: () => void): void => {
    try {
      deed()
    } catch (error) {
      logger.error(`gateway: ${formatError(error)}`)
      if (response.headersSent) response.destroy()
      else respond(response, errorAnswer('internal_error'))
    }
  }
  const take = (
    request: IncomingMessage,
    response: ServerResponse,
    proceed = (): void => undefined,
  ): void => {
    turns.take({ request, response }, () =>
      guarded(response, () => {
        const target = admit(request, response, proceed)
        if (target !== undefined) direct(request, response, target, proceed)
      }),
    )
  }

  server.on('request', (request, response) => take(request, response))
  // Node would ask for every body before anybody has looked at the request
  server.on('checkContinue', (request, response) =>
    take(request, response, () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue()
    }),
  )
  server.on('checkExpectation', (request, response) => {
    const detail = 'nothing but 100-continue can be expected'
    response.shouldKeepAlive = false
    turns.take({ request, response }, () =>
      respond(response, errorAnswer('bad_request', { status: 417, detail })),
    )
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', ignore)
    const { method = 'CONNECT', httpVersion } = request
    const { status, why: detail } = findFault({ method, httpVersion, headers: [] }) ?? {}
    const answer = errorAnswer('bad_request', { status, detail, headers: ['Allow', ALLOW] })
    turns.last(socket, () => respondAndEnd(socket, answer, clock))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', ignore)
    turns.last(socket, () => {
      if (!isUpgrade(request)) {
        socket.off('error', ignore)
        return serveAsOrdinary(server, request, socket, head)
      }
      const bare = bareResponse(request, socket)
      guarded(bare.response, () => {
        const target = admit(request, bare.response)
        if (target !== undefined) upgrades.serve(bare, target, { socket, head })
      })
    })
  })
  answerClientErrors(server, turns, clock)

  return {
    server,
    get waiting() {
      return line.size
    },
    get upgraded() {
      return upgrades.open
    },
    close: line.close,
  }
}
