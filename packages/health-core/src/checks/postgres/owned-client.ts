import type { OwnedClient } from '../own-connection.ts'
import { destroyClient, endClient, type PostgresClient, queryUntil, withCode } from './driver.ts'
import type { Statement } from './statement.ts'

/** A `pg` client as a connection of ours, which asks one statement. */
export function ownedClient(client: PostgresClient, statement: Statement): OwnedClient {
  return {
    onLost: (listener) => {
      client.on('error', listener)
      client.on('end', listener)
    },
    connect: () =>
      client.connect().catch((error: unknown) => {
        throw withCode(error)
      }),
    ask: async (signal) => statement.read(await queryUntil(client, statement.text, signal)),
    destroy: () => destroyClient(client),
    end: () => endClient(client),
    unref: () => client.unref?.(),
  }
}
