import type { HealthOptions } from '@baldur/health-core'
import { type MysqlCheckOptions, mysqlCheck } from '@baldur/health-core/mysql'
import mysql from 'mysql2'
import promises, { type Pool } from 'mysql2/promise'
import { type Served, serveHealth } from './service.ts'

export interface MysqlService extends Served {
  readonly pool: Pool
}

export interface MysqlServiceOptions {
  readonly health?: HealthOptions
  readonly check?: MysqlCheckOptions
  readonly pool?: mysql.PoolOptions
  /** Which of the driver's pools. @default 'promises' */
  readonly kind?: 'promises' | 'callbacks'
}

/** A plain node:http service whose health looks at the MySQL behind `url`; no answer is cached. */
export async function startMysqlService(
  url: string,
  { health, check, pool: more, kind = 'promises' }: MysqlServiceOptions = {},
): Promise<MysqlService> {
  const settings = { uri: url, connectionLimit: 2, ...more }
  const callbacks = kind === 'callbacks' ? mysql.createPool(settings) : undefined
  const pool = callbacks?.promise() ?? promises.createPool(settings)
  const served = await serveHealth({
    databases: { default: mysqlCheck(callbacks ?? pool, check) },
    readiness: { cacheTtlMs: 0 },
    ...health,
  })
  return {
    ...served,
    pool,
    close: async () => {
      await served.close()
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 500).unref())])
    },
  }
}
