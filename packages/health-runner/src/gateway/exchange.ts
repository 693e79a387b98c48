import type { EventEmitter } from 'node:events'
import type { Clock } from '@baldur/health-core'
import type { Dispatcher } from 'undici'
import {
  type BreakError,
  classifyBreak,
  isRefusedBody,
  NO_HTTP,
  type Progress,
} from '../rules/classify-break.ts'
import { endsWithConnection, isCodedBeyondChunks, readAnswer } from '../rules/read-answer.ts'
import type { Exchange, ExchangeEnd, ExchangeOptions, Outgoing, Sink } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'
import { createResponseTimer } from './response-timer.ts'
import { rawHeadersOf, runnerClient } from './runner-client.ts'
import { watchBody } from './watch-body.ts'

/** Answers that have no body, whatever length they name. */
const BODILESS: ReadonlySet<number> = new Set([204, 304])
/** One for all: nobody is told of it, and a new one would take a picture of the stack each time. */
const OVER = new Error('the exchange is over')
const ignore = (): void => undefined
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

/** Makes what gives requests to runners, each over a connection of its own. It holds nothing between them. */
export function createExchange({ clock }: { readonly clock: Clock }): Exchange {
  return (lease, outgoing, sink, options) =>
    new Promise((resolve) => give(clock, lease, outgoing, sink, options, resolve))
}

function give(
  clock: Clock,
  lease: Lease,
  { method, target, headers, body }: Outgoing,
  sink: Sink,
  { timeoutMs, bound, gone }: ExchangeOptions,
  resolve: (end: ExchangeEnd) => void,
): void {
  const client = runnerClient(lease.runner, clock)
  let progress: Progress = 'connecting'
  let status: number | undefined
  let isUntilEnd = false
  let isOver = false
  let isSinkReady = true
  let isDispatching = true
  let controller: Dispatcher.DispatchController | undefined

  const settle = (end: ExchangeEnd, outcome: RequestOutcome): void => {
    if (isOver) return
    isOver = true
    responseTimer.stop()
    watched?.stop()
    gone?.removeEventListener('abort', onGone)
    lease.end(outcome)
    client.destroy(OVER, ignore)
    resolve(gone?.aborted ? { kind: 'gone' } : end)
  }
  const inconclusive: RequestOutcome = { kind: 'inconclusive' }
  const answered = (): RequestOutcome => (status === undefined ? inconclusive : { kind: 'answered', status })
  const leave = (outcome: RequestOutcome): void => settle({ kind: 'gone' }, outcome)
  const wasHandedOver = (): boolean => progress !== 'connecting' && (watched?.hasBegun ?? true)
  const fail = (error: BreakError): void => {
    const { type, outcome } = classifyBreak(error, progress)
    const isRefused = isRefusedBody(error, { status: status ?? 0, hadBody: body !== undefined })
    const end = { kind: 'failed', type, wasHandedOver: wasHandedOver(), detail: error.message } as const
    settle(end, isRefused ? answered() : outcome)
  }
  /** The request cannot be sent to any runner: that is no evidence about this one. */
  const refuse = (error: Error): void =>
    settle({ kind: 'failed', type: 'bad_request', wasHandedOver: false, detail: error.message }, inconclusive)
  const responseTimer = createResponseTimer(clock, timeoutMs, () => {
    const detail = `the runner took longer than ${timeoutMs} ms`
    const end = { kind: 'failed', type: 'request_timeout', wasHandedOver: wasHandedOver(), detail } as const
    settle(end, { kind: 'timed_out' })
  })
  /** The runner's time runs while nobody else is waited for. */
  const look = (): void => {
    if (bound === 'whole' || isOver) return
    const isWaitedFor = progress === 'connecting' || (isSinkReady && (watched?.isRunnersTurn ?? true))
    if (isWaitedFor) responseTimer.start()
    else responseTimer.stop()
  }
  const watched = watchBody(body, look)
  const onGone = () => {
    const isSent = progress !== 'connecting' && (watched?.isSent ?? true)
    if (!isSent) return leave(answered())
    // its time goes on: to the head, or to one more piece
    isSinkReady = true
    look()
    controller?.resume()
  }

  // said of what its own listeners throw
  ;(client as EventEmitter).on('error', fail)
  responseTimer.start()
  if (gone?.aborted) {
    leave(inconclusive)
    return
  }
  gone?.addEventListener('abort', onGone)
  client.dispatch(
    { method: method as Dispatcher.HttpMethod, path: target, headers: [...headers], body: body ?? null },
    {
      onRequestStart: (started) => {
        controller = started
        progress = 'sent'
        look()
      },
      onResponseStart: (_, code) => {
        // 1xx: not passed on
        if (isOver || code < 200 || controller === undefined) return
        progress = 'head'
        status = code
        const raw = rawHeadersOf(controller)
        if (isCodedBeyondChunks(raw))
          return fail({ code: NO_HTTP, message: 'a coding that was not asked for' })
        isUntilEnd = endsWithConnection(raw)
        lease.head(code)
        if (gone?.aborted) return leave(answered())
        try {
          sink.head(readAnswer(code, raw))
        } catch (error) {
          return fail({ code: NO_HTTP, message: (error as Error).message })
        }
        look()
      },
      onResponseData: (_, chunk) => {
        if (isOver) return
        if (gone?.aborted) return leave(answered())
        isSinkReady = sink.data(chunk)
        look()
        if (isSinkReady) return
        controller?.pause()
        sink.whenReady(() => {
          if (isOver || isSinkReady) return
          isSinkReady = true
          look()
          controller?.resume()
        })
      },
      onResponseEnd: () => {
        if (isOver) return
        if (gone?.aborted) return leave(answered())
        sink.end()
        settle({ kind: 'answered' }, answered())
      },
      onResponseError: (_, error: NodeJS.ErrnoException) => {
        if (isOver) return
        // undici misses the bytes that such an answer never has
        const isBodiless = BODILESS.has(status ?? 0) && error.code === LENGTH_MISMATCH
        // as whole as it will ever be, and nothing of it is unread
        const isRefusal =
          isUntilEnd &&
          isSinkReady &&
          isRefusedBody(error, { status: status ?? 0, hadBody: body !== undefined })
        const isWhole = isBodiless || isRefusal
        if (isWhole && !gone?.aborted) sink.end()
        if (isDispatching) refuse(error)
        else if (isWhole) settle({ kind: 'answered' }, answered())
        else if (watched?.isBroken) leave(answered())
        else fail(error)
      },
    },
  )
  isDispatching = false
}
