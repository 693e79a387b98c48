import type { Statement } from './statement.ts'

/** A callback of the driver. */
export type Done<T> = (error: unknown, value: T) => void

interface Stream {
  destroy(error?: Error): unknown
  unref?(): unknown
  readonly destroyed?: boolean
}

/** What the check needs of a connection of `mysql2`. */
export interface MysqlClient {
  /** Its socket: the driver has no public way to let go of a connection that does not answer. */
  readonly stream: Stream
  connect(done: Done<unknown>): void
  query(query: object, done: Done<unknown>): unknown
  end(done: (error?: unknown) => void): unknown
  destroy(): void
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown
}

/** Connection options of `mysql2`, or a `mysql://` URL. */
export type MysqlConnection = string | { readonly [option: string]: unknown }

/** The module. */
export interface MysqlDriver {
  readonly Connection: new (options: { readonly config: object }) => MysqlClient
  readonly ConnectionConfig: new (options: object | string) => object
}

/** `mysql2` says of a broken connection that the protocol lost it. */
export function withCode(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const isBroken =
    code === 'PROTOCOL_CONNECTION_LOST' || /closed state|connection is closed/i.test(String(message))
  return isBroken
    ? Object.assign(new Error(String(message), { cause: error }), { code: 'ECONNRESET' })
    : error
}

/** Calls a function that takes a callback; rejects as soon as the signal aborts, whether it is called back or not. */
export function called<T>(signal: AbortSignal, act: (done: Done<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const done: Done<T> = (error, value) => {
      signal.removeEventListener('abort', onAbort)
      if (error) reject(withCode(error))
      else resolve(value)
    }
    if (signal.aborted) onAbort()
    else act(done)
  })
}

/** Lets go of a connection at once, answered or not: the driver's own `destroy` waits for the server to close it. */
export function destroyClient(client: MysqlClient): void {
  client.destroy()
  client.stream.destroy()
}

/** Runs a statement; when the signal aborts, the connection is destroyed and this rejects. */
export async function queryUntil(
  client: MysqlClient,
  { text, read }: Statement,
  signal: AbortSignal,
): Promise<ReturnType<Statement['read']>> {
  const destroy = (): void => destroyClient(client)
  signal.addEventListener('abort', destroy, { once: true })
  try {
    // as the check reads it, whatever the application set for its own queries
    const shape = { rowsAsArray: true, nestTables: false, typeCast: true }
    const rows = await called<unknown>(signal, (done) => client.query({ sql: text, ...shape }, done))
    return read(rows as readonly (readonly unknown[])[])
  } finally {
    signal.removeEventListener('abort', destroy)
  }
}
