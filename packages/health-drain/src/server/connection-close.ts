import type { ServerResponse } from 'node:http'

/** The headers of `writeHead` without `Connection`, in each form that it takes. */
function withoutConnection(headers: unknown): unknown {
  if (Array.isArray(headers)) {
    if (Array.isArray(headers[0]))
      return headers.filter(([name]) => String(name).toLowerCase() !== 'connection')
    return headers.filter((_, index) => {
      const name = headers[index - (index % 2)]
      return String(name).toLowerCase() !== 'connection'
    })
  }
  if (typeof headers !== 'object' || headers === null) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'connection'))
}

/**
 * Makes an HTTP/1.1 answer say `Connection: close` when its head is written while `isWanted` says so, whatever the app says
 * of the connection itself (a proxy passes on what its upstream said).
 */
export function sayClose(response: ServerResponse, isWanted: () => boolean): void {
  const before = response.writeHead as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]): ServerResponse => {
    if (!isWanted()) return before.apply(response, head)
    // an upgrade says `Connection: Upgrade`
    if (head[0] === 101) return before.apply(response, head)
    // not removed: Node would then send none
    if (response.hasHeader('connection')) response.setHeader('Connection', 'close')
    response.shouldKeepAlive = false
    return before.apply(response, head.map(withoutConnection))
  }
}
