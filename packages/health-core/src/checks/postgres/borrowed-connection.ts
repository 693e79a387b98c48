import type { Check } from '../../vocabulary/check.ts'
import { type PostgresPool, queryUntil } from './driver.ts'
import type { Statement } from './statement.ts'

const ignore = (): void => undefined

/** Borrows from the application's pool. A borrow that waits in line keeps the run unsettled, so that there is never a second one. */
export function borrowedConnection(pool: PostgresPool, statement: Statement): Pick<Check, 'run'> {
  return {
    run: async (signal) => {
      const client = await pool.connect()
      // while it is out of the pool, nobody else listens
      client.on('error', ignore)
      let isBroken = true
      try {
        if (signal.aborted) isBroken = false
        signal.throwIfAborted()
        const result = statement.read(await queryUntil(client, statement.text, signal))
        isBroken = false
        return result
      } finally {
        client.release(isBroken)
        // released as broken, it may still report its end
        if (!isBroken) client.removeListener('error', ignore)
      }
    },
  }
}
