import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is needed of a Koa context. */
export interface ProbeContext {
  readonly method: string
  readonly url: string
  status: number
  body: unknown
  readonly req: IncomingMessage
  readonly res: ServerResponse
}
