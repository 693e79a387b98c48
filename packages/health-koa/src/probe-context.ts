import type { ServerResponse } from 'node:http'

/** What is needed of a Koa context. */
export interface ProbeContext {
  readonly method: string
  readonly url: string
  status: number
  body: unknown
  readonly res: ServerResponse
}
