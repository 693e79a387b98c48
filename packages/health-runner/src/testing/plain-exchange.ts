import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { ErrorType } from '../vocabulary/error-type.ts'
import type { Exchange, ExchangeEnd } from '../vocabulary/exchange.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

/** Where the exchange's own code breaks. */
export const BROKEN_TARGET = '/exchange-breaks'

const needsRetryOf = ({ headers }: IncomingMessage): boolean | undefined => {
  const said = headers['x-baldur-needs-retry'] ?? headers['x-fal-needs-retry']
  return said === undefined ? undefined : said === '1'
}

/** What no runner can be given. */
export const UNSENDABLE_TARGET = '/cannot-be-sent'

/** Gives requests to runners over plain `node:http`, one connection each. */
export const plainExchange: Exchange = (
  lease,
  { method, target, headers, body },
  sink,
  { timeoutMs, gone },
) =>
  new Promise((resolve, reject) => {
    if (target === BROKEN_TARGET) return reject(new Error('broken on purpose'))
    const { host, port } = lease.runner
    let hasHead = false
    const end = (result: ExchangeEnd, outcome: RequestOutcome): void => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', leave)
      lease.end(outcome)
      resolve(result)
    }
    const fail = (type: ErrorType, outcome: RequestOutcome, wasHandedOver = true): void =>
      end({ kind: 'failed', type, wasHandedOver, detail: 'of the test' }, outcome)
    const leave = (): void => {
      end({ kind: 'gone' }, { kind: 'inconclusive' })
      outgoing.destroy()
    }
    if (target === UNSENDABLE_TARGET) {
      lease.end({ kind: 'inconclusive' })
      return resolve({ kind: 'failed', type: 'bad_request', wasHandedOver: false, detail: 'of the test' })
    }
    const timer = setTimeout(() => {
      fail('request_timeout', { kind: 'timed_out' })
      outgoing.destroy()
    }, timeoutMs)
    const outgoing = httpRequest({ host, port, method, path: target, headers: [...headers], agent: false })
    gone?.addEventListener('abort', leave)
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (hasHead) return
      const type = code === 'ECONNREFUSED' ? 'runner_connection_refused' : 'runner_disconnected'
      fail(type, { kind: 'broken', type }, code !== 'ECONNREFUSED')
    })
    outgoing.on('response', (answer) => {
      hasHead = true
      const status = answer.statusCode ?? 0
      lease.head(status)
      const kept = answer.rawHeaders.filter((_, index, all) => {
        const name = (all[index - (index % 2)] ?? '').toLowerCase()
        return !/^(connection|keep-alive|transfer-encoding|x-(baldur|fal)-needs-retry)$/.test(name)
      })
      sink.head({ status, headers: kept, needsRetry: needsRetryOf(answer) })
      answer.on('data', (piece: Buffer) => sink.data(piece))
      answer.on('error', () => undefined)
      answer.on('close', () => {
        if (gone?.aborted) return
        const type = 'runner_incomplete_response'
        if (!answer.complete) return fail(type, { kind: 'broken', type })
        sink.end()
        end({ kind: 'answered' }, { kind: 'answered', status })
      })
    })
    outgoing.end(body)
  })
