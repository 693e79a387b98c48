import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AnswerFunction } from '../engine/answer.ts'
import type { ObserveOptions, ObserveResponse } from '../vocabulary/observe.ts'
import { readMounting } from './read-mounting.ts'
import { watchResponse } from './watch-response.ts'
import { writeAnswer } from './write-response.ts'

export interface HealthListenerOptions {
  /** Gets every request that is not a probe. @default a 404 */
  readonly next?: (request: IncomingMessage, response: ServerResponse) => void
  /** Where the endpoints are mounted, in place of the health's own prefix. */
  readonly prefix?: string
  /** Judges the app by the status codes of what `next` answers. @default false */
  readonly observe?: boolean | ObserveOptions
}

/** What is needed of a health. */
export interface ListenableHealth {
  readonly answer: AnswerFunction
  observe(options?: ObserveOptions): ObserveResponse
}

const NOT_FOUND = '{"status":"not_found"}'

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': NOT_FOUND.length }
  response.writeHead(404, headers)
  response.end(NOT_FOUND)
}

/** A listener for `http.createServer` that answers probes and hands everything else on. */
export function healthListener(
  health: ListenableHealth,
  options: HealthListenerOptions = {},
): RequestListener {
  const mount = readMounting(health, options, ['next', 'prefix', 'observe'])
  const { next = notFound, observe: wanted = false } = options
  const observe = wanted === false ? undefined : health.observe(wanted === true ? {} : wanted)
  return (request, response) => {
    const answer = health.answer({ method: request.method ?? '', target: request.url ?? '', ...mount })
    if (answer !== undefined) return writeAnswer(response, answer)
    if (observe !== undefined) watchResponse(response, observe)
    next(request, response)
  }
}
