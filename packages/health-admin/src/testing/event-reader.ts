import { type RawConnection, rawConnection, until } from 'health-testkit'

interface ReceivedEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it compares
  readonly data: any
}

/** A stream of events as a client that parses every byte sees it. */
export interface EventReader {
  readonly head: string
  /** Those that have come so far. */
  events(): readonly ReceivedEvent[]
  /** Waits for one that fits. */
  next(fits: (received: ReceivedEvent) => boolean, timeoutMs?: number): Promise<ReceivedEvent>
  readonly connection: RawConnection
}

export async function readEvents(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const connection = await rawConnection({ port })
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  connection.send(`GET /events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await until(() => connection.unread.includes('\r\n\r\n'))
  const head = connection.unread.slice(0, connection.unread.indexOf('\r\n\r\n'))
  /** Chunk sizes stand on lines of their own between the pieces of an event, which no line of an event looks like. */
  const text = (): string =>
    Buffer.from(connection.unread, 'latin1')
      .toString('utf8')
      .slice(head.length + 4)
      .replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '')
  const events = (): readonly ReceivedEvent[] =>
    [...text().matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data),
    }))
  return {
    head,
    events,
    connection,
    next: async (fits, timeoutMs = 5_000) => {
      await until(() => events().some(fits), { timeoutMs })
      const found = events().find(fits)
      if (found === undefined) throw new Error('it has gone again')
      return found
    },
  }
}
