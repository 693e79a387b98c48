import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { HTTP_BODY_BYTES } from '../../options/defaults.ts'
import { resetError } from '../socket/open-socket.ts'
import { nameError } from './name-error.ts'

/** What is asked. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** Sent with it, as the headers say. */
  readonly body?: string
}

/** How it was answered: a status, or the sign that a connection that had been idle was closed in the meantime. */
export type Exchange = { readonly status: number } | { readonly isStale: true; readonly error: Error }

/**
 * Asks once, on the agent's socket, and follows nothing. It ends when the body has, or when enough of it was read; then the
 * socket is back with the agent or destroyed. Rejects when no whole answer comes, and when the signal aborts.
 */
export function exchange(agent: Agent, question: Question, signal: AbortSignal): Promise<Exchange> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined
    let failure: Error | undefined
    let bytesBefore = 0
    let isCut = false
    const asked = request({ ...question, agent, setHost: false })
    const fail = (error: Error): void => {
      if (!isCut) failure ??= error
    }
    const abort = (): void => {
      fail(signal.reason)
      asked.destroy()
    }
    const read = (answer: IncomingMessage): void => {
      response = answer
      let length = 0
      response.on('error', fail)
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= HTTP_BODY_BYTES) return
        isCut = true
        asked.destroy()
      })
    }
    signal.addEventListener('abort', abort, { once: true })
    asked.on('socket', (socket) => {
      bytesBefore = socket.bytesRead
      // the agent holds the process for one that it hands out
      socket.unref()
    })
    asked.on('response', read)
    asked.on('error', fail)
    asked.on('close', () => {
      signal.removeEventListener('abort', abort)
      // the error of a body that breaks off comes after this
      const isWhole = response?.complete === true || isCut
      if (isWhole && failure === undefined) return resolve({ status: Number(response?.statusCode) })
      const error = failure ?? resetError('the connection was closed before the answer was complete')
      const isUnanswered = asked.reusedSocket && asked.socket?.bytesRead === bytesBefore
      if (isUnanswered && !signal.aborted) resolve({ isStale: true, error })
      else reject(nameError(error))
    })
    asked.end(question.body)
  })
}
