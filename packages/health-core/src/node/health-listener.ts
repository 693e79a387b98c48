import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerFunction } from '../engine/answer.ts'
import type { ObserveOptions, ObserveResponse } from '../vocabulary/observe.ts'
import { readMounting } from './read-mounting.ts'
import { type WatchableResponse, watchResponse } from './watch-response.ts'
import { type WritableResponse, writeAnswer } from './write-response.ts'

/** What is needed of a request of `node:http` or `node:http2`. */
export interface ListenedRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

/** What is needed of a response of `node:http` or `node:http2`. */
export type ListenedResponse = WritableResponse & WatchableResponse

export interface HealthListenerOptions<
  Request extends ListenedRequest = IncomingMessage,
  Response extends ListenedResponse = ServerResponse,
> {
  /** Gets every request that is not a probe. @default a 404 */
  readonly next?: ((request: Request, response: Response) => void) | undefined
  /** Where the endpoints are mounted, in place of the health's own prefix. */
  readonly prefix?: string | undefined
  /** Judges the app by the status codes of what `next` answers. @default false */
  readonly observe?: boolean | ObserveOptions | undefined
}

/** What is needed of a health. */
export interface ListenableHealth {
  readonly answer: AnswerFunction
  observe(options?: ObserveOptions): ObserveResponse
}

const NOT_FOUND = '{"status":"not_found"}'

function notFound(_request: unknown, response: WritableResponse): void {
  const length = String(NOT_FOUND.length)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': length }
  response.writeHead(404, headers)
  response.end(NOT_FOUND)
}

/** A listener for `createServer` of `node:http`, `https` and `http2` that answers probes and hands everything else on. */
export function healthListener<
  Request extends ListenedRequest = IncomingMessage,
  Response extends ListenedResponse = ServerResponse,
>(
  health: ListenableHealth,
  options: HealthListenerOptions<Request, Response> = {},
): (request: Request, response: Response) => void {
  const mount = readMounting(health, options, ['next', 'prefix', 'observe'])
  const { next = notFound, observe: wanted = false } = options
  const observe = wanted === false ? undefined : health.observe(wanted === true ? {} : wanted)
  return (request, response) => {
    const { method = '', url: target = '' } = request
    const answer = health.answer({ method, target, message: request, ...mount })
    if (answer !== undefined) return writeAnswer(response, answer)
    if (observe !== undefined) watchResponse(response, observe)
    next(request, response)
  }
}
