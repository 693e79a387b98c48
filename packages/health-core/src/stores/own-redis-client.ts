import { loadDriver } from '../checks/load-driver.ts'
import { replyCode } from '../checks/redis/fault.ts'
import type { Clock } from '../machinery/clock.ts'
import type { RedisClient, SharedStore } from '../vocabulary/store.ts'
import { redisStore } from './redis-store.ts'

interface OwnClient extends RedisClient {
  readonly stream?: { unref?(): void; destroy(): void }
  connect(): Promise<void>
  disconnect(): void
  on(event: 'connect', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

type ClientClass = new (url: string, options: object) => OwnClient

/** A command that is unanswered for this long, in milliseconds, is on a dead connection, which is then dropped. */
const UNANSWERED_MS = 30_000

/**
 * Settings that leave nothing behind: no timer of its own between two questions (a lost connection is made anew by the
 * next one), no command kept or sent again, and no handshake beyond logging in.
 */
const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  connectTimeout: 2_000,
  enableReadyCheck: false,
  disableClientInfo: true,
  protocol: 2,
}

/** Adds the server's error code, which the client leaves in the message. */
function withCode(error: unknown): unknown {
  const { message } = error as Error
  const code = replyCode(message)
  return code === undefined ? error : Object.assign(new Error(message, { cause: error }), { code })
}

/** Shares check results on the Redis of a URL, over one connection of its own that keeps no process alive. Undefined when `ioredis` is not installed. */
export function storeOfUrl(url: string, clock: Clock): SharedStore | undefined {
  const driver = loadDriver('ioredis') as
    | { readonly Redis?: ClientClass; readonly default?: ClientClass }
    | undefined
  const Client = driver?.Redis ?? driver?.default
  if (Client === undefined) return undefined
  const client = new Client(url, OPTIONS)
  // a command only fails with 'connection closed', and without a listener the client prints to the console
  let lastError: Error | undefined
  client.on('error', (error) => {
    lastError = error
  })
  const unref = (): void => client.stream?.unref?.()
  client.on('connect', unref)
  const store = redisStore(client)

  const connect = async (): Promise<void> => {
    if (client.status === 'ready') return
    lastError = undefined
    const connected = client.connect()
    // the socket is there a moment later
    clock.after(0, unref)
    await connected
  }
  const withConnection = async <T>(ask: () => Promise<T>): Promise<T> => {
    const cancel = clock.after(UNANSWERED_MS, () => client.stream?.destroy())
    try {
      await connect()
      return await ask()
    } catch (error) {
      throw withCode(client.status === 'ready' ? error : (lastError ?? error))
    } finally {
      cancel()
    }
  }
  return {
    read: (key) => withConnection(() => store.read(key)),
    claim: (key, claim) => withConnection(() => store.claim(key, claim)),
    write: (key, claim, text, lifeMs) => withConnection(() => store.write(key, claim, text, lifeMs)),
    close: async () => {
      client.disconnect()
      client.stream?.destroy()
    },
  }
}
