import pg from 'pg'
import { options } from './announce.mjs'

/**
 * The pool of an app with a database, used once. Every contestant has one, the bare twins too, since V8 optimises a
 * process that has seen a database's messages otherwise than one that has seen HTTP alone.
 */
export async function openPool() {
  const pool = new pg.Pool({ connectionString: options.databaseUrl })
  pool.on('error', () => {})
  await pool.query('SELECT 1')
  return pool
}
