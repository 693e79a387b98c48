import type { ProbeResponse } from '../vocabulary/exchange.ts'

/** What is needed of a response of `node:http` or `node:http2`. */
export interface WritableResponse {
  readonly headersSent: boolean
  shouldKeepAlive?: boolean
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(body: string): unknown
}

/** Writes an answer as it stands; headers that were set before stay. */
export function writeResponse(
  response: WritableResponse,
  { status, headers, body, close }: ProbeResponse,
): void {
  if (response.headersSent) return
  // gives `Connection: close` on HTTP/1.1 and nothing on HTTP/2, where that header is forbidden
  if (close) response.shouldKeepAlive = false
  response.writeHead(status, headers)
  response.end(body)
}
