import type { IoredisClient, NodeRedisClient } from '@baldur/health-core/redis'
import Ioredis from 'ioredis'
import Ioredis5 from 'ioredis-5'
import { createClient } from 'redis'
import { createClient as createClient4 } from 'redis-4'
import { createClient as createClient5 } from 'redis-5'

type Client = IoredisClient | NodeRedisClient

export interface MadeClient {
  readonly client: Client
  close(): void
}

export interface ClientOptions {
  readonly password?: string
  readonly username?: string
}

/** Handles errors, as every application has to. */
const ignore = (): void => undefined

const ioredis =
  (Class: typeof Ioredis) =>
  (port: number, options: ClientOptions = {}): MadeClient => {
    const client = new Class({ host: '127.0.0.1', port, ...options })
    client.on('error', ignore)
    return { client, close: () => client.disconnect() }
  }

const nodeRedis =
  (create: typeof createClient) =>
  (port: number, options: ClientOptions = {}): MadeClient => {
    const client = create({ socket: { host: '127.0.0.1', port }, ...options })
    client.on('error', ignore)
    // it retries by itself, or has given up for good; both are for the check to see
    client.connect().catch(ignore)
    return {
      client,
      close: () => {
        if (client.isOpen) void client.disconnect().catch(ignore)
      },
    }
  }

/** The oldest and the newest of each. */
export const CLIENTS: readonly [name: string, make: (port: number, options?: ClientOptions) => MadeClient][] =
  [
    ['ioredis 6', ioredis(Ioredis)],
    ['ioredis 5.0', ioredis(Ioredis5 as unknown as typeof Ioredis)],
    ['redis 6', nodeRedis(createClient)],
    ['redis 5.0', nodeRedis(createClient5 as unknown as typeof createClient)],
    ['redis 4.2', nodeRedis(createClient4 as unknown as typeof createClient)],
  ]
