import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { type PostgresCheckOptions, postgresCheck } from '@baldur/health-core/postgres'
import { rawRequest } from 'health-testkit'
import pg from 'pg'
import { watchLateness } from './lateness.ts'

interface Answered {
  readonly status: number
  readonly body: {
    readonly status: string
    readonly checks?: Record<string, string>
    readonly error?: string
    readonly pool_info?: Record<string, unknown>
  }
  readonly text: string
  /** What the answer took, without the time in which this process, which is also the service, was not run. */
  readonly ms: number
}

/** A plain node:http service that shows a health. */
export interface Served {
  readonly port: number
  readonly server: Server
  readonly health: Health
  readonly lines: string[]
  get(path: string): Promise<Answered>
  close(): Promise<void>
}

/** One whose health looks at a PostgreSQL. */
export interface Service extends Served {
  readonly pool: pg.Pool
}

/**
 * How much later than its bound an answer may be, for one caller, and for two hundred at once in the test's own process, beside a
 * browser on the same two cores. With a readiness budget of 0.5 s that is still below a run's timeout of 2 s, which an answer without a budget would wait for.
 */
export const TOLERANCE_MS = 200
export const CROWD_TOLERANCE_MS = 1_300

export async function serveHealth(options: HealthOptions): Promise<Served> {
  const lines: string[] = []
  const log = (line: string): void => {
    lines.push(line)
  }
  const health = createHealth({
    env: {},
    logger: { debug: log, info: log, warn: log, error: log },
    ...options,
  })
  const server = createServer(healthListener(health))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    server,
    health,
    lines,
    get: async (path) => {
      const lateness = watchLateness()
      const { status, body, ms } = await rawRequest({ port, path, timeoutMs: 15_000 })
      return { status, body: JSON.parse(body), text: body, ms: ms - lateness() }
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await health.close()
    },
  }
}

/** A plain node:http service whose health looks at the PostgreSQL behind `url`. */
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
  const databases = { default: postgresCheck(pool, options.check), ...options.more }
  const served = await serveHealth({ databases, ...options.health })
  return {
    ...served,
    pool,
    close: async () => {
      await served.close()
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 500).unref())])
    },
  }
}
