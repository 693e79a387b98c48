import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tell } from '@baldur/health-core/shared'
import { errorAnswer } from '../rules/error-answer.ts'
import { findFault, hasBody } from '../rules/find-fault.ts'
import { forwardHeaders } from '../rules/forward-headers.ts'
import { membersOf, valuesOf, without } from '../rules/hop-by-hop.ts'
import { readTarget } from '../rules/read-target.ts'
import type { AnswerHead } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import { clientSink } from './client-sink.ts'
import { joinSockets } from './join-sockets.ts'
import { offerUpgrade, type UpgradeEnd } from './offer-upgrade.ts'
import { respond } from './respond.ts'
import { type DirectParts, failureOf, newRequestId, refusalOf } from './serve-direct.ts'

/** Whether a request that offers an upgrade is one that a runner could accept. HTTP/2 is not spoken to runners, and a body would be in the way. */
export function isUpgrade({ method, rawHeaders: headers }: IncomingMessage): boolean {
  const protocols = membersOf(headers, 'upgrade')
  return method === 'GET' && !hasBody(headers) && protocols.length > 0 && !protocols.includes('h2c')
}

/** Gives a request back to the parser without its offer: whoever may refuse an upgrade may read past it. Node 20 and 22 stop parsing at it. */
export function serveAsOrdinary(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion } = request
  const headers = without(request.rawHeaders, (name) => name === 'upgrade')
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
  const text = [`${method} ${url} HTTP/${httpVersion}`, ...lines].join('\r\n')
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** The head of an upgraded connection, as it goes to the client. */
function switchingHead({ headers }: AnswerHead, protocol: string, requestId: string): string {
  const all = [
    ...['Connection', 'Upgrade', 'Upgrade', protocol],
    ...headers,
    ...['X-Baldur-Request-Id', requestId],
  ]
  const lines = all.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : []))
  return `${['HTTP/1.1 101 Switching Protocols', ...lines].join('\r\n')}\r\n\r\n`
}

export interface Upgrades {
  /** `response` is on the socket already, and ends it. */
  serve(request: IncomingMessage, response: ServerResponse, socket: Socket, head: Buffer): void
  readonly open: number
}

/** Passes upgrades on to runners, and what they answer back. */
export function serveUpgrades(parts: DirectParts): Upgrades {
  const { fleet, line, logger, clock, requestTimeoutMs, clientIdleMs } = parts
  const open = new Set<Socket>()

  const join = (
    response: ServerResponse,
    socket: Socket,
    head: Buffer,
    text: string,
    runner: Socket,
  ): void => {
    response.detachSocket(socket)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.write(text, 'latin1')
    if (head.length > 0) socket.unshift(head)
    joinSockets(socket, runner, clientIdleMs)
  }

  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    { socket, head }: { readonly socket: Socket; readonly head: Buffer },
    { target, host }: { readonly target: string; readonly host: string | undefined },
    first: Lease,
    { requestId, gone }: { readonly requestId: string; readonly gone: AbortSignal },
  ): Promise<void> => {
    const { rawHeaders } = request
    const upgrade = valuesOf(rawHeaders, 'upgrade').join(', ')
    const client = socket.remoteAddress
    const headers = forwardHeaders({ headers: rawHeaders, client, requestId, host, upgrade })
    const sink = clientSink(response, { idleMs: clientIdleMs, requestId })
    const give = (lease: Lease): Promise<UpgradeEnd> =>
      offerUpgrade(lease, { target, headers }, sink, { timeoutMs: requestTimeoutMs, gone, clock })

    let end = await give(first)
    if (end.kind === 'failed' && end.type === 'runner_connection_refused' && !gone.aborted) {
      const second = fleet.take('direct')
      if (second !== undefined) end = await give(second)
    }
    if (end.kind === 'upgraded') {
      const { answer, runner, protocol } = end
      if (gone.aborted) return void runner.destroy()
      return join(response, socket, head, switchingHead(answer, protocol, requestId), runner)
    }
    if (end.kind !== 'failed') return
    logger.debug(`gateway: ${requestId} ${end.type}: ${end.detail}`)
    if (response.headersSent) socket.resetAndDestroy()
    else respond(response, failureOf(end), requestId)
  }

  return {
    serve: (request, response, socket, head) => {
      const { method = '', url = '', httpVersion, rawHeaders: headers } = request
      const fault = findFault({ method, httpVersion, headers })
      const target = readTarget(method, url)
      if (fault !== undefined || target.kind !== 'path') {
        const detail = fault?.why ?? 'the target is no path'
        return respond(response, errorAnswer('bad_request', { status: fault?.status, detail }))
      }
      const requestId = newRequestId()
      const gone = new AbortController()
      const onEnd = (): void => void socket.destroy()
      // before the runner's answer the end of what the client says is its leaving, as it is for every other request
      socket.once('end', onEnd)
      response.once('close', () => {
        if (!response.writableFinished) gone.abort()
      })
      const leave = line.enter({
        granted: (lease) => {
          pass(request, response, { socket, head }, { target: target.target, host: target.host }, lease, {
            requestId,
            gone: gone.signal,
          })
            .catch((error: unknown) => {
              logger.error(`gateway: ${requestId} failed: ${tell(error)}`)
              socket.destroy()
            })
            .finally(() => socket.off('end', onEnd))
        },
        refused: (why) => respond(response, refusalOf(why), requestId),
      })
      gone.signal.addEventListener('abort', leave, { once: true })
    },
    get open() {
      return open.size
    },
  }
}
