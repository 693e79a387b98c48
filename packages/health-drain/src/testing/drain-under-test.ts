import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth, type Health } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { type RawConnection, rawConnection, rawRequest, type TimedResponse } from 'health-testkit'
import { createDrain } from '../create-drain.ts'
import type { Drain } from '../drain.ts'
import type { DrainOptions } from '../options.ts'

/** A service whose drain goes quickly, and a client of it. */
export interface DrainUnderTest {
  readonly server: Server
  readonly port: number
  readonly health: Health
  readonly drain: Drain
  readonly lines: string[]
  ask(
    path: string,
    more?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<TimedResponse>
  /** A connection that is kept alive. */
  connect(): Promise<RawConnection>
}

const closers: (() => unknown)[] = []

/** Ends every service that a test has started. */
export async function endServices(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

export const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

/** Short, and in the proportions of the defaults. */
const QUICK = {
  shutdownDelayMs: 400,
  settleMs: 100,
  lingerMs: 150,
  requestTimeoutMs: 1_500,
  hookTimeoutMs: 300,
}

export async function drainUnderTest(
  app: RequestListener,
  options: DrainOptions = {},
  make: (listener: RequestListener) => Server = createServer,
): Promise<DrainUnderTest> {
  const lines: string[] = []
  const log = (level: string) => (line: string) => void lines.push(`${level}: ${line}`)
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const health = createHealth({ env: {}, checks: [{ name: 'x', run: () => true }] })
  const server = make(healthListener(health, { next: app }))
  const drain = createDrain({ server, health, logger, env: {}, ...QUICK, ...options })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closers.push(() => {
    drain.close()
    server.close()
    server.closeAllConnections()
    return health.close()
  })
  return {
    ...{ server, port, health, drain, lines },
    ask: (path, more = {}) => rawRequest({ port, path, ...more }),
    connect: async () => {
      const connection = await rawConnection({ port })
      closers.push(() => connection.close())
      return connection
    },
  }
}
