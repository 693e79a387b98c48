/** What the check needs of a `pg` client. */
export interface PostgresClient {
  connect(): Promise<unknown>
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
  end(): Promise<void>
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown
  removeListener(event: 'error' | 'end', listener: (error?: Error) => void): unknown
  unref?(): void
}

export type PostgresClientClass = new (config: object) => PostgresClient

/** What the check needs of a `pg.Pool`. */
export interface PostgresPool {
  readonly options: object
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  connect(): Promise<PostgresClient & { release(destroy?: boolean | Error): void }>
}

export const isPool = (source: unknown): source is PostgresPool =>
  typeof source === 'object' &&
  source !== null &&
  typeof (source as PostgresPool).connect === 'function' &&
  typeof (source as PostgresPool).options === 'object' &&
  'totalCount' in source

/** Connection options of `pg`, or a connection string. */
export type PostgresConnection = string | { readonly [option: string]: unknown }

interface Stream {
  destroy(): unknown
  destroySoon?(): unknown
}

/** The client's socket: `pg` has no public way to let go of a connection that does not answer. */
const streamOf = (client: PostgresClient): Stream | undefined =>
  (client as { connection?: { stream?: Stream } }).connection?.stream

const ignore = (): void => undefined

/** Lets go of a connection at once, answered or not. The server sees it close. */
export function destroyClient(client: PostgresClient): void {
  const stream = streamOf(client)
  // the native client has no stream of ours: it can only be asked
  if (stream === undefined) client.end().catch(ignore)
  else stream.destroy()
}

/** For a client that is told to end: what is to be sent is sent if the socket takes it, the answer is not waited for. */
export function flushAndClose(client: PostgresClient): void {
  streamOf(client)?.destroySoon?.()
}

/** Says goodbye and lets go. */
export async function endClient(client: PostgresClient): Promise<void> {
  const ended = client.end()
  flushAndClose(client)
  await ended
}

/** Runs a statement; when the signal aborts, the connection is destroyed and the statement rejects. */
export async function queryUntil(
  client: PostgresClient,
  text: string,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const destroy = (): void => destroyClient(client)
  signal.addEventListener('abort', destroy, { once: true })
  try {
    return (await client.query(text)).rows
  } catch (error) {
    throw withCode(error)
  } finally {
    signal.removeEventListener('abort', destroy)
  }
}

/** `pg` says in words only that a connection broke. */
export function withCode(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const isBroken = code === undefined && /^Connection terminated|not queryable/.test(String(message))
  return isBroken
    ? Object.assign(new Error(String(message), { cause: error }), { code: 'ECONNRESET' })
    : error
}
