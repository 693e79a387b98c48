import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AnswerFunction } from '../engine/answer.ts'
import { mountPrefix } from './mount-prefix.ts'
import { writeAnswer } from './write-response.ts'

export interface HealthListenerOptions {
  /** Gets every request that is not a probe. @default a 404 */
  readonly next?: (request: IncomingMessage, response: ServerResponse) => void
  /** Where the endpoints are mounted, in place of the health's own prefix. */
  readonly prefix?: string
}

const NOT_FOUND = '{"status":"not_found"}'

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': NOT_FOUND.length }
  response.writeHead(404, headers)
  response.end(NOT_FOUND)
}

/** A listener for `http.createServer` that answers probes and hands everything else on. */
export function healthListener(
  health: { readonly answer: AnswerFunction },
  { next = notFound, prefix }: HealthListenerOptions = {},
): RequestListener {
  const mount = mountPrefix(prefix)
  return (request, response) => {
    const answer = health.answer({ method: request.method ?? '', target: request.url ?? '', ...mount })
    if (answer === undefined) next(request, response)
    else writeAnswer(response, answer)
  }
}
