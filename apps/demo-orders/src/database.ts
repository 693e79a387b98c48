import { startPostgres } from 'health-testkit/postgres'
import pg from 'pg'

export interface Database {
  readonly pool: pg.Pool
  /** Ends the pool, and the server if it was started for the demo. */
  close(): Promise<void>
}

/** The PostgreSQL of `BALDUR_SQL_DSN`, else one started for the demo, else (`DEMO_DATABASE=none`) nothing. Ends it if it was started. */
export async function startDatabase(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> } | undefined> {
  if (env.DEMO_DATABASE === 'none') return undefined
  const dsn = env.BALDUR_SQL_DSN
  // the library has a check for it, the orders have no other home
  if (dsn?.startsWith('mysql://'))
    throw new Error(
      'BALDUR_SQL_DSN: expected the URL of a PostgreSQL, where the demo keeps its orders, got a mysql:// URL',
    )
  // a value that begins with tcp:// is a Kubernetes service link, no setting
  if (dsn !== undefined && dsn !== '' && !dsn.startsWith('tcp://'))
    return { url: dsn, stop: async () => undefined }
  console.log('starting an embedded PostgreSQL')
  const server = await startPostgres()
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
    },
  }
}

/** A pool on that database. */
export async function openDatabase(env: NodeJS.ProcessEnv): Promise<Database | undefined> {
  const server = await startDatabase(env)
  if (server === undefined) return undefined
  const pool = new pg.Pool({
    connectionString: server.url,
    max: 10,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  })
  // an idle connection that breaks would end the process otherwise; while the pool ends, so do they
  pool.on('error', (error) => {
    if (!pool.ending) console.error(`idle database connection lost: ${error.message}`)
  })
  return {
    pool,
    close: async () => {
      await pool.end()
      await server.stop()
    },
  }
}
