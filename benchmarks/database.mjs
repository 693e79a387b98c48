import { startPostgres } from 'health-testkit/postgres'
import pg from 'pg'

/** A private PostgreSQL that counts the statements of each role by itself. */
export async function startDatabase(roles) {
  const server = await startPostgres({ settings: { shared_preload_libraries: 'pg_stat_statements' } })
  const admin = new pg.Client({ connectionString: server.url })
  admin.on('error', () => {})
  await admin.connect()
  await admin.query('CREATE EXTENSION pg_stat_statements')
  for (const role of roles) await admin.query(`CREATE ROLE "${role}" LOGIN`)
  const { rows } = await admin.query('SHOW server_version')
  return {
    port: server.port,
    version: rows[0].server_version,
    urlFor: (role, port = server.port) => `postgres://${role}@127.0.0.1:${port}/postgres`,
    statementsOf: async (role) => {
      const text = `SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements WHERE userid = '"${role}"'::regrole`
      return (await admin.query(text)).rows[0].calls
    },
    pause: server.pause,
    resume: server.resume,
    stop: async () => {
      await admin.end()
      await server.stop()
    },
  }
}
