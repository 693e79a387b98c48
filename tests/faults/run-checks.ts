import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Check, createHealth, type Health, type HealthOptions } from '@baldur/health-core'

/** A health of one check that is asked anew each time, and what it says. */
export interface CheckedHealth {
  readonly health: Health
  readonly lines: string[]
  /** `usable`, or the code and text of the last run. */
  run(): Promise<string>
}

/** The policy of a check that a test does not want to wait for. */
export const FAST = { timeoutMs: 400, connectTimeoutMs: 400 } as const

export function checked(check: Check, options: HealthOptions = {}): CheckedHealth {
  const lines: string[] = []
  const log = (line: string): void => {
    // what the verdict makes of it is tested elsewhere
    if (!line.startsWith('verdict: ')) lines.push(line)
  }
  const logger = { debug: log, info: log, warn: log, error: log }
  const health = createHealth({
    env: {},
    logger,
    checks: [check],
    watchdog: false,
    readiness: { cacheTtlMs: 0, budgetMs: 5_000 },
    ...options,
  })
  let last = 'no run has ended'
  health.on('check', ({ outcome }) => {
    last = outcome.kind === 'usable' ? 'usable' : `${outcome.problem.code}: ${outcome.problem.text}`
  })
  return {
    health,
    lines,
    run: async () => {
      last = 'no run has ended'
      await health.readiness()
      return last
    },
  }
}

/** A server of bytes: what it does with each connection, and how many it has and had. */
export interface ByteServer {
  readonly port: number
  readonly opened: number
  readonly open: number
  close(): Promise<void>
}

/** Listens on loopback, or as `make` and `host` say; every connection goes to `serve`. */
export async function byteServer(
  serve: (socket: Socket, index: number) => void,
  make: (listener: (socket: Socket) => void) => Server = (listener) => createServer(listener),
  host = '127.0.0.1',
): Promise<ByteServer> {
  const sockets = new Set<Socket>()
  let opened = 0
  const server = make((socket) => {
    opened += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // a client that leaves is what these tests are about
    socket.on('error', () => undefined)
    serve(socket, opened)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get opened() {
      return opened
    },
    get open() {
      return sockets.size
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
