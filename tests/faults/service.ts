import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { type PostgresCheckOptions, postgresCheck } from '@baldur/health-core/postgres'
import { rawRequest } from 'health-testkit'
import pg from 'pg'

interface Answered {
  readonly status: number
  readonly body: {
    readonly status: string
    readonly checks?: Record<string, string>
    readonly error?: string
    readonly pool_info?: Record<string, unknown>
  }
  readonly text: string
  readonly ms: number
}

export interface Service {
  readonly port: number
  readonly server: Server
  readonly health: Health
  readonly pool: pg.Pool
  readonly lines: string[]
  get(path: string): Promise<Answered>
  close(): Promise<void>
}

/** How much later than its bound an answer may be, for one caller and for many at once on two shared cores. */
export const TOLERANCE_MS = 200
export const CROWD_TOLERANCE_MS = 700

/** A plain node:http service whose health looks at the database behind `url`. */
export async function startService(
  url: string,
  options: {
    readonly health?: HealthOptions
    readonly check?: PostgresCheckOptions
    readonly pool?: { readonly [Key in keyof pg.PoolConfig]: pg.PoolConfig[Key] | undefined }
    readonly more?: HealthOptions['databases']
  } = {},
): Promise<Service> {
  const pool = new pg.Pool({ connectionString: url, max: 2, ...options.pool } as pg.PoolConfig)
  pool.on('error', () => undefined)
  const lines: string[] = []
  const log = (line: string): void => {
    lines.push(line)
  }
  const health = createHealth({
    env: {},
    logger: { debug: log, info: log, warn: log, error: log },
    databases: { default: postgresCheck(pool, options.check), ...options.more },
    ...options.health,
  })
  const server = createServer(healthListener(health))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    server,
    health,
    pool,
    lines,
    get: async (path) => {
      const { status, body, ms } = await rawRequest({ port, path, timeoutMs: 15_000 })
      return { status, body: JSON.parse(body), text: body, ms }
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await health.close()
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 500).unref())])
    },
  }
}
