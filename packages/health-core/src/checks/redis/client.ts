/** What both clients are besides. */
interface Emitter {
  on(event: string | symbol, listener: (...args: unknown[]) => void): unknown
  removeListener(event: string | symbol, listener: (...args: unknown[]) => void): unknown
}

/** What the check needs of an `ioredis` client, also of its `Cluster` and of one that asks sentinels. */
export interface IoredisClient extends Emitter {
  readonly status: string
  connect(): Promise<unknown>
  ping(): Promise<unknown>
  setrange(key: string, offset: number, value: string): Promise<unknown>
}

/** What the check needs of a client of the package `redis`, from 4.2 on. */
export interface NodeRedisClient extends Emitter {
  readonly isOpen: boolean
  readonly isReady: boolean
  ping(): Promise<unknown>
  setRange(key: string, offset: number, value: string): Promise<unknown>
}

/** One face for both. */
export interface RedisLink {
  readonly client: Emitter
  /** In one word. */
  status(): string
  isReady(): boolean
  /** Whether a connection is being made at this moment, so that there is something to wait for. */
  isConnecting(): boolean
  /** Does what the first command of a lazy client would do. */
  connectIfLazy(): void
  ping(): Promise<unknown>
  /** Appends nothing to a string that is not there, which changes nothing: a server that takes no writes refuses it all the same. */
  write(): Promise<unknown>
}

const KEY = 'baldur:health:writable'
const ignore = (): void => undefined

const has = (source: unknown, names: readonly string[]): boolean =>
  typeof source === 'object' &&
  source !== null &&
  names.every((name) => typeof (source as Record<string, unknown>)[name] === 'function')

const isIoredis = (source: unknown): source is IoredisClient =>
  has(source, ['ping', 'setrange', 'connect', 'on', 'removeListener']) &&
  typeof (source as IoredisClient).status === 'string'

/** In its legacy mode the client's commands take callbacks. */
const isNodeRedis = (source: unknown): source is NodeRedisClient =>
  has(source, ['ping', 'setRange', 'on', 'removeListener']) &&
  typeof (source as NodeRedisClient).isReady === 'boolean' &&
  (source as { options?: { legacyMode?: unknown } }).options?.legacyMode !== true

/** The client as the check sees it; undefined when it is none of both. */
export function redisLink(client: unknown): RedisLink | undefined {
  if (isIoredis(client)) {
    return {
      client,
      status: () => client.status,
      isReady: () => client.status === 'ready',
      isConnecting: () => client.status === 'connecting' || client.status === 'connect',
      connectIfLazy: () => {
        if (client.status === 'wait') client.connect().catch(ignore)
      },
      ping: () => client.ping(),
      write: () => client.setrange(KEY, 0, ''),
    }
  }
  if (!isNodeRedis(client)) return undefined
  return {
    client,
    status: () => {
      if (client.isReady) return 'ready'
      return client.isOpen ? 'connecting' : 'closed'
    },
    isReady: () => client.isReady,
    // it does not tell a connection in the making from a pause between two attempts
    isConnecting: () => false,
    connectIfLazy: ignore,
    ping: () => client.ping(),
    write: () => client.setRange(KEY, 0, ''),
  }
}
