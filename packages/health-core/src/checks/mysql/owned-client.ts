import type { OwnedClient } from '../own-connection.ts'
import { called, destroyClient, type MysqlClient, queryUntil } from './driver.ts'
import type { Statement } from './statement.ts'

/** A connection of `mysql2` as one of ours, which asks one statement. It dials when it is made. */
export function ownedClient(client: MysqlClient, statement: Statement): OwnedClient {
  return {
    onLost: (listener) => {
      client.on('error', listener)
      client.on('end', listener)
    },
    connect: (signal) => called(signal, (done) => client.connect(done)),
    ask: (signal) => queryUntil(client, statement, signal),
    destroy: () => destroyClient(client),
    end: async () => {
      client.end(() => client.stream.destroy())
    },
    unref: () => client.stream.unref?.(),
  }
}
