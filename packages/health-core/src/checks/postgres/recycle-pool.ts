import { createProblems } from '../../options/problems.ts'
import type { Heal } from '../../vocabulary/heal.ts'
import { flushAndClose, isPool, type PostgresPool } from './driver.ts'

/**
 * A `heal.run` that closes the idle connections of a `pg.Pool`, so that it makes new ones when it needs them: after a
 * fail-over, or behind a proxy that forgot them, the old ones are dead and nobody noticed. Those in use stay as they are, and
 * while somebody waits for one none is taken. Throws a `HealthConfigError` for anything else than a pool.
 */
export function recyclePool(pool: PostgresPool): Heal['run'] {
  const problems = createProblems()
  if (!isPool(pool)) problems.add('recyclePool(pool)', 'a pg.Pool', pool)
  problems.throwIfAny()
  return async () => {
    const taken: Awaited<ReturnType<PostgresPool['connect']>>[] = []
    const most = pool.totalCount
    try {
      // all are held before one is let go, or the pool would hand the same one out again
      while (pool.idleCount > 0 && pool.waitingCount === 0 && taken.length < most) {
        taken.push(await pool.connect())
      }
    } finally {
      for (const client of taken) {
        client.release(true)
        flushAndClose(client)
      }
    }
  }
}
