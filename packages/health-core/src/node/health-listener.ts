import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerFunction } from '../engine/answer.ts'
import type { ObserveOptions, ObserveResponse } from '../vocabulary/observe.ts'
import { readMounting } from './read-mounting.ts'
import { type WatchableResponse, watchResponse } from './watch-response.ts'
import { type WritableResponse, writeAnswer } from './write-response.ts'

/** The required part of a request of `node:http` or `node:http2`. */
export interface ListenedRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

/** The required part of a response of `node:http` or `node:http2`. */
export type ListenedResponse = WritableResponse & WatchableResponse

/** Options of `healthListener`. */
export interface HealthListenerOptions<
  Request extends ListenedRequest = IncomingMessage,
  Response extends ListenedResponse = ServerResponse,
> {
  /** Receives every request that is not a probe. @default answers 404 */
  readonly next?: ((request: Request, response: Response) => void) | undefined
  /** Path prefix of the endpoints. @default the health's own prefix */
  readonly prefix?: string | undefined
  /** Judges the app by the status codes of the responses of `next`. @default false */
  readonly observe?: boolean | ObserveOptions | undefined
}

/** The required part of a health. */
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

/** Creates a listener for `createServer` of `node:http`, `https` and `http2` that answers probes and passes every other request to `next`. Throws a `HealthConfigError` for bad options. */
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
