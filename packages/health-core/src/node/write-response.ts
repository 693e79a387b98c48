import type { Answer } from '../engine/answer.ts'
import type { ProbeResponse } from '../vocabulary/exchange.ts'

/** Marks a response that answers a probe; shared by all copies of this package in one process. */
export const PROBE_ANSWER: unique symbol = Symbol.for('@baldur/health-core: the answer to a probe')

/** The required part of a response of `node:http` or `node:http2`. */
export interface WritableResponse {
  readonly headersSent: boolean
  shouldKeepAlive?: boolean
  hasHeader?(name: string): boolean
  setHeader?(name: string, value: string): unknown
  readonly req?: {
    readonly headers: { readonly upgrade?: string | undefined }
    readonly socket?: { destroySoon?(): void } | null
  }
  once?(event: 'finish', listener: () => void): unknown
  [PROBE_ANSWER]?: true
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(body: string): unknown
  destroy(): unknown
}

/** Writes a response as it stands; headers that were set before stay. */
function writeResponse(response: WritableResponse, { status, headers, body, close }: ProbeResponse): void {
  if (response.headersSent) return
  response[PROBE_ANSWER] = true
  // gives `Connection: close` on HTTP/1.1 and nothing on HTTP/2, where that header is forbidden
  // a request that offers an upgrade may have come past Node's own care of the connection (a WebSocket library's), and nobody else would end it
  const isUpgrade = response.req?.headers.upgrade !== undefined
  if (isUpgrade) response.once?.('finish', () => response.req?.socket?.destroySoon?.())
  if (close || isUpgrade) {
    response.shouldKeepAlive = false
    // earlier middleware may have set another value
    if (response.hasHeader?.('connection')) response.setHeader?.('connection', 'close')
  }
  response.writeHead(status, headers)
  response.end(body)
}

/** Calls `write` with the response, now or when it resolves; if that throws, `abandon` ends this exchange only. */
export function deliver(
  answer: Answer,
  write: (response: ProbeResponse) => void,
  abandon: () => unknown,
): void {
  const attempt = (response: ProbeResponse): void => {
    try {
      write(response)
    } catch {
      // the prober sees its connection end
      abandon()
    }
  }
  if (answer instanceof Promise) void answer.then(attempt)
  else attempt(answer)
}

/** Writes an answer, now or when it resolves. Never throws: if writing fails, the connection is destroyed. */
export function writeAnswer(response: WritableResponse, answer: Answer): void {
  deliver(
    answer,
    (ready) => writeResponse(response, ready),
    () => response.destroy(),
  )
}
