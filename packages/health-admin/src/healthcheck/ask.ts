import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { isIP } from 'node:net'
import { lookUpApart } from './look-up.ts'
import { bad, failure, type Outcome } from './outcome.ts'
import type { Target } from './target.ts'

/** A health answer is far below; an endless one ends here. */
const BODY_BYTES = 1_048_576
const HEADER_BYTES = 16_384

/** Asks at one address and reads the answer to its end. Never rejects; the signal ends it. */
export async function ask(target: Target, host: string, signal: AbortSignal): Promise<Outcome> {
  const { isTls, port, path, authority, name, auth } = target
  // most ask in plain HTTP: TLS is loaded by who needs it
  const request = isTls ? (await import('node:https')).request : requestHttp
  return new Promise((resolve) => {
    const question = request({
      host,
      port,
      path,
      ...(auth !== undefined && { auth }),
      ...(isTls && { servername: isIP(name) ? '' : name }),
      // an agent of its own knows no proxy and keeps nothing
      agent: false,
      headers: { Host: authority, Connection: 'close', Accept: '*/*', 'User-Agent': 'baldur-healthcheck' },
      lookup: lookUpApart(signal),
      maxHeaderSize: HEADER_BYTES,
      insecureHTTPParser: false,
      signal,
    })
    let isAnswering = false
    question.on('response', (answer) => {
      isAnswering = true
      read(answer, question, resolve)
    })
    question.on('error', (error) => resolve(failure(error)))
    question.on('close', () => {
      // an answer tells its own end, after this
      if (!isAnswering) resolve(bad('gave no answer'))
    })
    question.end()
  })
}

function read(answer: IncomingMessage, question: ClientRequest, resolve: (outcome: Outcome) => void): void {
  const end = (outcome: Outcome): void => {
    resolve(outcome)
    question.destroy()
  }
  const brokeOff = (): void => end(failure({ code: 'ECONNRESET' }))
  answer.on('error', brokeOff)
  if (answer.statusCode !== 200) {
    end(bad(`answered ${answer.statusCode}`))
    return
  }
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > BODY_BYTES) end(bad('answered with more than 1 MiB'))
  })
  // only behind its last byte: one that is cut has an error instead
  answer.on('end', () => end({ isGood: true, words: 'answered 200' }))
}
