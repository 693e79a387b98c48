import type { IncomingMessage, ServerResponse } from 'node:http'

/** What Express 4 and 5, and anything like Connect, takes. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void
