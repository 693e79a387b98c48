import { once } from 'node:events'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { systemClock } from '@baldur/health-core/internal'
import { createGateway, type Gateway, type GatewayParts } from '../gateway/create-gateway.ts'
import { createExchange } from '../gateway/exchange.ts'
import type { GatewaySettings } from '../settings/settings.ts'
import { type HandFleet, handFleet } from './hand-fleet.ts'

type Closer = () => void

const ignore = (): void => undefined

/** Ends what a test has started. */
export interface Tidy {
  add(close: Closer): void
  all(): void
}

export function tidy(): Tidy {
  const closers: Closer[] = []
  return {
    add: (close) => void closers.push(close),
    all: () => {
      for (const close of closers.splice(0).reverse()) close()
    },
  }
}

const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** A runner that is a server of `node:http`. */
export async function httpRunner(
  tidied: Tidy,
  listener: RequestListener,
): Promise<{ readonly port: number; readonly server: HttpServer }> {
  const server = createServer(listener)
  const port = await listen(server)
  tidied.add(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, server }
}

/** A runner that is whatever one does with bare connections. */
export async function rawRunner(tidied: Tidy, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    // breaking is what some of them are for
    socket.on('error', () => undefined)
    serve(socket)
  })
  const port = await listen(server)
  tidied.add(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return port
}

export interface UnderTest {
  readonly gateway: Gateway
  readonly fleet: HandFleet
  readonly port: number
  /** What it logged as an error: nothing, in a good test. */
  readonly errors: string[]
}

export interface UnderTestOptions extends Partial<Omit<GatewayParts, 'fleet'>> {
  readonly requestTimeoutMs?: number
  readonly waitingLine?: GatewaySettings['waitingLine']
  readonly most?: number
}

/** A gateway in front of runners at these ports. */
export async function gatewayInFrontOf(
  tidied: Tidy,
  ports: readonly number[],
  options: UnderTestOptions = {},
): Promise<UnderTest> {
  const { requestTimeoutMs = 5_000, waitingLine = { max: 10, timeoutMs: 5_000 }, most, ...parts } = options
  const fleet = handFleet()
  for (const [index, port] of ports.entries()) fleet.add(`${index + 1}.1`, port, most)
  const errors: string[] = []
  const { clock = systemClock } = parts
  const gateway = createGateway(
    { host: '127.0.0.1', port: 0, prefix: '/gateway', requestTimeoutMs, waitingLine },
    {
      fleet,
      clock,
      exchange: createExchange({ clock }),
      logger: { debug: ignore, info: ignore, warn: ignore, error: (line) => void errors.push(line) },
      ...parts,
    },
  )
  const port = await listen(gateway.server)
  tidied.add(() => {
    gateway.close()
    gateway.server.closeAllConnections()
    gateway.server.close()
  })
  return { gateway, fleet, port, errors }
}
