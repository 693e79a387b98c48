import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { formatError } from '@baldur/health-core/internal'
import { hasBody } from '../rules/find-fault.ts'
import { forwardHeaders } from '../rules/forward-headers.ts'
import { membersOf, valuesOf, without } from '../rules/hop-by-hop.ts'
import type { AnswerHead } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import type { BareResponse } from './bare-response.ts'
import { clientSink } from './client-sink.ts'
import { joinSockets } from './join-sockets.ts'
import { offerUpgrade, type Upgraded, type UpgradeEnd } from './offer-upgrade.ts'
import { respond } from './respond.ts'
import { retryOnce } from './retry-once.ts'
import {
  breakOff,
  type DirectParts,
  type DirectTarget,
  failureOf,
  newRequestId,
  refusalOf,
  watchClient,
} from './serve-direct.ts'

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

/** A client's offer, on its way. */
interface Offered {
  readonly request: IncomingMessage
  readonly bare: BareResponse
  readonly socket: Socket
  /** What came behind the offer. */
  readonly head: Buffer
  readonly requestId: string
  /** Aborts when the client has left. */
  readonly gone: AbortController
}

export interface Upgrades {
  /** `bare` is on the connection already. */
  serve(bare: BareResponse, target: DirectTarget, connection: Pick<Offered, 'socket' | 'head'>): void
  readonly open: number
}

/** Passes offers of an upgrade on to runners, and what they answer back. */
export function serveUpgrades(parts: DirectParts): Upgrades {
  const { fleet, line, logger, clock, requestTimeoutMs, clientIdleMs } = parts
  const open = new Set<Socket>()

  const join = ({ bare, socket, head, requestId }: Offered, { answer, protocol, runner }: Upgraded): void => {
    bare.detach()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.write(switchingHead(answer, protocol, requestId), 'latin1')
    if (head.length > 0) socket.unshift(head)
    joinSockets(socket, runner, clientIdleMs)
  }

  const pass = async (offered: Offered, { target, host }: DirectTarget, first: Lease): Promise<void> => {
    const { request, bare, socket, requestId } = offered
    const gone = offered.gone.signal
    const { response } = bare
    const { rawHeaders } = request
    const upgrade = valuesOf(rawHeaders, 'upgrade').join(', ')
    const client = socket.remoteAddress
    const headers = forwardHeaders({ headers: rawHeaders, client, requestId, host, upgrade })
    const sink = clientSink(response, { idleMs: clientIdleMs, requestId })
    const give = (lease: Lease): Promise<UpgradeEnd> =>
      offerUpgrade(lease, { target, headers }, sink, { timeoutMs: requestTimeoutMs, gone, clock })

    const end = await retryOnce(fleet, first, give, gone)
    if (end.kind === 'upgraded') {
      if (gone.aborted) end.runner.destroy()
      else join(offered, end)
    }
    if (end.kind !== 'failed') return
    logger.debug(`gateway: ${requestId} ${end.type}: ${end.detail}`)
    if (response.headersSent) breakOff(socket, offered.gone)
    else respond(response, failureOf(end), requestId)
  }

  return {
    serve: (bare, target, { socket, head }) => {
      const { response } = bare
      const requestId = newRequestId()
      const gone = watchClient(response, requestId, logger)
      const offered = { request: response.req, bare, socket, head, requestId, gone }
      // before the runner's answer the end of what the client says is its leaving, as it is for every other request
      const onEnd = (): void => void socket.destroy()
      socket.once('end', onEnd)
      const leave = line.enter({
        granted: (lease) => {
          pass(offered, target, lease)
            .catch((error: unknown) => {
              lease.end({ kind: 'inconclusive' })
              logger.error(`gateway: ${requestId} failed: ${formatError(error)}`)
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
