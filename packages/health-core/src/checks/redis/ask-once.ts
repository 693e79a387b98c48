/** A connection of `ioredis`: what it has sent and has no answer to. */
interface Connection {
  readonly commandQueue?: { toArray(): readonly { readonly command: unknown }[] }
}

const sentOn = ({ commandQueue }: Connection): readonly unknown[] =>
  commandQueue?.toArray().map(({ command }) => command) ?? []

/** A cluster has several. */
function connectionsOf(client: object): readonly Connection[] {
  const { nodes } = client as { nodes?: unknown }
  return typeof nodes === 'function' ? (nodes.call(client) as Connection[]) : [client]
}

export const isGivenUp = (error: unknown): boolean =>
  (error as Error | undefined)?.message === 'Command timed out'

/**
 * Puts questions to a client of `ioredis` so that one is outstanding. With its `commandTimeout` the client gives up on a
 * command that it has sent all the same: until the server has answered that one, or its connection is gone, the next
 * question fails as it did, and nothing is sent. Who asks waits for the last one before. Of another client nothing is known.
 */
export function askOnce(client: object): <T>(ask: () => Promise<T>) => Promise<T> {
  let givenUp: { readonly error: unknown; isOutstanding(): boolean } | undefined
  return async (ask) => {
    if (givenUp?.isOutstanding()) throw givenUp.error
    givenUp = undefined
    try {
      return await ask()
    } catch (error) {
      if (isGivenUp(error)) {
        // answers come in order: once the last command has its own, so has ours; a lost connection has an empty queue
        const last = connectionsOf(client).map(
          (connection) => [connection, sentOn(connection).at(-1)] as const,
        )
        const isOutstanding = (): boolean =>
          last.some(([connection, command]) => command !== undefined && sentOn(connection).includes(command))
        givenUp = { error, isOutstanding }
      }
      throw error
    }
  }
}
