import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@baldur/health-core'
import { errorAnswer } from '../rules/error-answer.ts'
import type { PipelineQueue } from './pipeline-queue.ts'
import { respondAndEnd } from './respond.ts'

const STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}
const DETAIL: Readonly<Record<number, string>> = {
  400: 'this is no request of HTTP/1.1',
  408: 'the request did not come in time',
  413: 'the extensions of a chunk are too long',
  431: 'the headers are too long',
}

/** Answers what is no request with a JSON of ours, where an answer can still be told from what is under way on the connection. */
export function answerClientErrors(server: Server, turns: PipelineQueue, clock: Clock): void {
  const answered = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // an upgraded connection's, or one that we are ending already
    if (answered.has(socket)) return
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    answered.add(socket)
    const current = turns.current(socket)
    if (current?.request.complete) {
      // what is broken came behind it: it has its answer, and then the connection ends
      current.response.shouldKeepAlive = false
      current.response.once('close', () => socket.destroySoon())
      return
    }
    if (current?.response.headersSent) return void socket.destroy()
    const status = STATUS[error.code ?? ''] ?? 400
    respondAndEnd(socket, errorAnswer('bad_request', { status, detail: DETAIL[status] }), clock)
  })
}
