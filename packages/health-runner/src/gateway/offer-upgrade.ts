import { request as ask, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@baldur/health-core'
import { type BreakError, classifyBreak, NO_HTTP, type Progress } from '../rules/classify-break.ts'
import { valuesOf } from '../rules/hop-by-hop.ts'
import { readAnswer } from '../rules/read-answer.ts'
import { FIXED } from '../settings/defaults.ts'
import type { AnswerHead, ExchangeEnd, Sink } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'
import { openConnection } from './open-connection.ts'
import { createResponseTimer } from './response-timer.ts'

export interface UpgradeOffer {
  readonly target: string
  /** Names and values in turn, with `Connection` and `Upgrade`. */
  readonly headers: readonly string[]
}

/** The runner has accepted, and what it says after that is still to be read. */
export interface Upgraded {
  readonly kind: 'upgraded'
  readonly answer: AnswerHead
  readonly protocol: string
  readonly runner: Socket
}

export type UpgradeEnd = ExchangeEnd | Upgraded

/**
 * Offers an upgrade to a runner. By `node:http`: undici breaks a connection whose answer is not 101, and such an answer goes
 * to the sink like any other. Ends the lease, with the 101 too: what follows is no request any more. Never rejects.
 */
export function offerUpgrade(
  lease: Lease,
  { target, headers }: UpgradeOffer,
  sink: Sink,
  {
    timeoutMs,
    gone,
    clock,
  }: { readonly timeoutMs: number; readonly gone: AbortSignal; readonly clock: Clock },
): Promise<UpgradeEnd> {
  return new Promise((resolve) => {
    const { runner } = lease
    let progress: Progress = 'connecting'
    let status = 0
    let isOver = false
    const settle = (end: UpgradeEnd, outcome: RequestOutcome): void => {
      if (isOver) return
      isOver = true
      responseTimer.stop()
      lease.end(outcome)
      if (end.kind !== 'upgraded') offer.destroy()
      resolve(end)
    }
    const answered = (): RequestOutcome => ({ kind: 'answered', status })
    const fail = (error: BreakError): void => {
      const { type, outcome } = classifyBreak(error, progress)
      const end: ExchangeEnd = {
        ...{ kind: 'failed', type, detail: error.message },
        wasHandedOver: progress !== 'connecting',
      }
      settle(gone.aborted ? { kind: 'gone' } : end, outcome)
    }
    const responseTimer = createResponseTimer(clock, timeoutMs, () => {
      const end: ExchangeEnd = {
        ...{ kind: 'failed', type: 'request_timeout', wasHandedOver: progress !== 'connecting' },
        detail: `the runner took longer than ${timeoutMs} ms`,
      }
      settle(gone.aborted ? { kind: 'gone' } : end, { kind: 'timed_out' })
    })
    const head = (answer: IncomingMessage): boolean => {
      status = answer.statusCode ?? 0
      progress = 'head'
      lease.head(status)
      if (gone.aborted) settle({ kind: 'gone' }, answered())
      return !gone.aborted
    }

    let offer: ClientRequest
    try {
      offer = ask({
        ...{ method: 'GET', path: target, headers, maxHeaderSize: FIXED.answerHeadBytes },
        createConnection: (_, onOpen) => {
          openConnection(runner, { clock, allowHalfOpen: true }, (error, socket) =>
            error === null ? onOpen(null, socket) : onOpen(error, undefined as never),
          )
          return undefined
        },
      })
    } catch (error) {
      // it cannot be sent to anybody: that is no evidence about this runner
      const detail = (error as Error).message
      lease.end({ kind: 'inconclusive' })
      return resolve({ kind: 'failed', type: 'bad_request', wasHandedOver: false, detail })
    }
    responseTimer.start()
    offer.once('socket', () => {
      progress = 'sent'
    })
    offer.on('upgrade', (answer, socket: Socket, first) => {
      if (!head(answer)) return void socket.destroy()
      if (first.length > 0) socket.unshift(first)
      const protocol = valuesOf(answer.rawHeaders, 'upgrade').join(', ')
      const end = {
        kind: 'upgraded',
        answer: readAnswer(status, answer.rawHeaders),
        protocol,
        runner: socket,
      } as const
      settle(end, answered())
    })
    offer.on('response', (answer) => {
      answer.on('error', fail)
      if (!head(answer)) return
      try {
        sink.head(readAnswer(status, answer.rawHeaders))
      } catch (error) {
        return fail({ code: NO_HTTP, message: (error as Error).message })
      }
      const goOn = (): void => {
        if (isOver) return
        responseTimer.start()
        answer.resume()
      }
      // its time goes on, to one more piece
      gone.addEventListener('abort', goOn, { once: true })
      responseTimer.start()
      answer.on('data', (chunk: Buffer) => {
        if (gone.aborted) return settle({ kind: 'gone' }, answered())
        responseTimer.start()
        if (sink.data(chunk)) return
        responseTimer.stop()
        answer.pause()
        sink.whenReady(goOn)
      })
      answer.on('end', () => {
        if (!isOver) sink.end()
        settle({ kind: 'answered' }, answered())
      })
    })
    offer.on('error', fail)
    offer.end()
  })
}
