import { errorMonitor } from 'node:events'
import type { Check, CheckPolicy, CheckResult } from '../../vocabulary/check.ts'
import { kindOf, optionProblems, throwIfAny } from '../input.ts'
import { askOnce } from './ask-once.ts'
import { type IoredisClient, type NodeRedisClient, type RedisLink, redisLink } from './client.ts'
import { notConnected, readFault } from './fault.ts'
import { untilEvent } from './until-event.ts'

/** Options of `redisCheck`. */
export interface RedisCheckOptions extends CheckPolicy {
  /** Name of the check; in `databases` the key replaces it. @default 'redis' */
  readonly name?: string
  /** Reads not usable on a server that refuses writes: a replica, a server out of memory, a cluster that is down. Tests it with a `SETRANGE` of nothing on the key `baldur:health:writable`, which a user with an ACL must be allowed. @default false */
  readonly requireWritable?: boolean
}

const ignore = (): void => undefined

function linkOf(client: unknown, options: RedisCheckOptions): RedisLink {
  const link = redisLink(client)
  const expected = 'a client or cluster of ioredis, or a client of redis 4.2 or newer (not in legacy mode)'
  const wrong = link === undefined ? [{ path: 'redisCheck(client)', expected, got: kindOf(client) }] : []
  throwIfAny([...wrong, ...optionProblems('redisCheck', options, { requireWritable: 'boolean' })])
  return link as RedisLink
}

/** Sends one command at a time: while a reply is outstanding, further callers wait for it. */
function singleFlight(ask: () => Promise<CheckResult>): () => Promise<CheckResult> {
  let pending: Promise<CheckResult> | undefined
  return () => {
    pending ??= ask().finally(() => {
      pending = undefined
    })
    // nobody may be waiting any more
    pending.catch(ignore)
    return pending
  }
}

/**
 * Checks a Redis through the application's own client: one `PING` a run, and never a second one while the first is
 * outstanding, over runs too, also when the client has given it up (`commandTimeout`). A client that is not connected fails
 * at once, since it would queue the command. It opens nothing, and never closes, reconnects or changes the client; one made with `lazyConnect` is connected as its first
 * command would. Throws a `HealthConfigError` when it gets something else.
 */
export function redisCheck(client: IoredisClient | NodeRedisClient, options: RedisCheckOptions = {}): Check {
  const link = linkOf(client, options)
  const { requireWritable = false, name = 'redis', ...policy } = options
  let lastError: unknown
  const onError = (error: unknown): void => {
    lastError = error
  }
  const onReady = (): void => {
    lastError = undefined
  }
  // hears errors without being a listener of theirs: whether they are handled stays the application's choice
  link.client.on(errorMonitor, onError)
  link.client.on('ready', onReady)

  const once = askOnce(link.client)
  const ask = singleFlight(async () => {
    try {
      await once(() => (requireWritable ? link.write() : link.ping()))
      return true
    } catch (error) {
      // a value of another type under the key: the server would have written
      if (requireWritable && String((error as Error).message).startsWith('WRONGTYPE ')) return true
      return readFault(error)
    }
  })
  const failureReason = (): CheckResult => {
    if (lastError !== undefined) return readFault(lastError)
    throw notConnected(`the client is not connected (${link.status()})`)
  }

  return {
    ...policy,
    name,
    vendor: 'redis',
    connect: async (signal) => {
      link.connectIfLazy()
      if (!link.isConnecting()) return
      const attempt = untilEvent(link.client, ['ready', 'close', 'end'], signal)
      try {
        await attempt.happened
      } finally {
        attempt.stop()
      }
    },
    run: async (signal) => {
      if (!link.isReady()) return failureReason()
      // a client that has lost its connection would send the command again after the next one
      const lost = untilEvent(link.client, ['close'], signal)
      try {
        const first = await Promise.race([ask(), lost.happened])
        return first === 'event' ? failureReason() : first
      } finally {
        lost.stop()
      }
    },
    stats: () => ({ connection: link.status() }),
    close: async () => {
      link.client.removeListener(errorMonitor, onError)
      link.client.removeListener('ready', onReady)
    },
  }
}
