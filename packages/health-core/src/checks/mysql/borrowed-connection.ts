import type { Check } from '../../vocabulary/check.ts'
import { destroyClient, queryUntil, withCode } from './driver.ts'
import type { BorrowedClient, CorePool } from './pool.ts'
import type { Statement } from './statement.ts'

const borrow = (pool: CorePool): Promise<BorrowedClient> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, client) => (error ? reject(withCode(error)) : resolve(client)))
  })

/** Borrows from the application's pool. A borrow that waits in line keeps the run unsettled, so that there is never a second one. */
export function borrowedConnection(pool: CorePool, statement: Statement): Pick<Check, 'run'> {
  return {
    run: async (signal) => {
      const client = await borrow(pool)
      let isBroken = true
      try {
        if (signal.aborted) isBroken = false
        signal.throwIfAborted()
        const result = await queryUntil(client, statement, signal)
        isBroken = false
        return result
      } finally {
        if (isBroken) destroyClient(client)
        else client.release()
      }
    },
  }
}
