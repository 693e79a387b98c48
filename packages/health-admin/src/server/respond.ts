import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is sent with every answer: nothing is kept, guessed at, or read by a page of another origin. */
export const ALWAYS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** An answer in JSON. */
export const json = (status: number, value: object, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: `${JSON.stringify(value)}\n`,
})

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Writes an answer. */
export function reply(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
): void {
  if (response.headersSent || response.destroyed) return
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { ...ALWAYS, 'content-length': String(bytes.length), ...headers })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
