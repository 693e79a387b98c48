import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { openPool } from './open-pool.mjs'

/** Our health with a check of the app's pool, the same for every framework. */
export async function openHealth() {
  const pool = await openPool()
  return createHealth({ env: {}, databases: { default: postgresCheck(pool) } })
}
