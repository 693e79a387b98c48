import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AnswerFunction } from '../engine/answer.ts'
import { writeResponse } from './write-response.ts'

const NOT_FOUND = '{"status":"not_found"}'

const notFound: RequestListener = (_request, response) => {
  response.writeHead(404, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': NOT_FOUND.length,
  })
  response.end(NOT_FOUND)
}

/** A listener for `http.createServer` that answers probes and hands everything else to `next` (by default a 404). */
export function healthListener(
  health: { readonly answer: AnswerFunction },
  next: RequestListener = notFound,
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const answer = health.answer({ method: request.method ?? '', target: request.url ?? '' })
    if (answer === undefined) next(request as never, response as never)
    else if (answer instanceof Promise) void answer.then((late) => writeResponse(response, late))
    else writeResponse(response, answer)
  }
}
