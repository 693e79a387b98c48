import type { ServerResponse } from 'node:http'

const isOurs = (name: unknown): boolean => /^(?:connection|keep-alive)$/i.test(String(name))

/** The headers of `writeHead`, in each form that it takes, with a `Connection` of ours in place of what they say of it. */
function withClose(headers: unknown): unknown {
  if (!Array.isArray(headers)) {
    const rest = Object.entries(headers as object).filter(([name]) => !isOurs(name))
    return Object.fromEntries([...rest, ['Connection', 'close']])
  }
  if (Array.isArray(headers[0]))
    return [...headers.filter(([name]) => !isOurs(name)), ['Connection', 'close']]
  return [...headers.filter((_, index) => !isOurs(headers[index - (index % 2)])), 'Connection', 'close']
}

/**
 * Makes an HTTP/1.1 answer say `Connection: close` when its head is written while `isWanted` says so, whatever the app says
 * of the connection itself (a proxy passes on what its upstream said; Node sends none where the app has removed it).
 */
export function setConnectionClose(response: ServerResponse, isWanted: () => boolean): void {
  const before = response.writeHead as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]): ServerResponse => {
    // an upgrade says `Connection: Upgrade`
    if (response.headersSent || head[0] === 101 || !isWanted()) return before.apply(response, head)
    const at = head.findIndex((part) => typeof part === 'object' && part !== null)
    response.removeHeader('keep-alive')
    response.shouldKeepAlive = false
    if (at === -1) response.setHeader('Connection', 'close')
    else head[at] = withClose(head[at])
    return before.apply(response, head)
  }
}
