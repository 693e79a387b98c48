import { askOnce } from '../checks/redis/ask-once.ts'
import { MAX_CHARACTERS } from '../rules/shared-entry.ts'
import type { RedisClient, SharedStore } from '../vocabulary/store.ts'

// One command each, so that a stalled server holds one of ours. An expired key has a PTTL below 0, and so has one that
// somebody gave no end. The length is looked at first, since a huge value would fill the memory of the server and of every
// reader; a key of another type has none, which is an error and no number.
const READ = `local t=redis.call('pttl',KEYS[1])
if t<1 then return false end
local n=redis.pcall('strlen',KEYS[1])
if type(n)~='number' or n>tonumber(ARGV[1]) then return false end
return {t,redis.call('get',KEYS[1])}`

// A claim without an end, or of another type, is nobody's: it would keep everybody from computing for good.
const CLAIM = `if redis.call('pttl',KEYS[1])>=0 and redis.call('type',KEYS[1]).ok=='string' then return 0 end
redis.call('set',KEYS[1],ARGV[1],'px',ARGV[2])
return 1`

// What is left of the claim says how long ago it was taken, by the server's own clock.
const WRITE = `if redis.pcall('strlen',KEYS[2])~=#ARGV[1] or redis.call('get',KEYS[2])~=ARGV[1] then return 0 end
local t=ARGV[3]-(ARGV[4]-redis.call('pttl',KEYS[2]))
if t<1 then return 0 end
redis.call('set',KEYS[1],ARGV[2],'px',t)
redis.call('del',KEYS[2])
return 1`

const claimOn = (key: string): string => `${key}:claim`

/** A client that is not connected would keep a command until it is, and send it then. One that waits for its first command is connected by it. */
function checkConnected({ status }: RedisClient): void {
  if (status !== 'ready' && status !== 'wait') throw new Error(`the client is not connected: ${status}`)
}

/** Creates a store on Redis that uses a client of the application. */
export function redisStore(client: RedisClient): SharedStore {
  const once = askOnce(client)
  const run = async (script: string, keys: string[], ...rest: (string | number)[]): Promise<unknown> => {
    checkConnected(client)
    return once(() => client.eval(script, keys.length, ...keys, ...rest))
  }
  return {
    read: async (key) => {
      const found = await run(READ, [key], MAX_CHARACTERS)
      if (!Array.isArray(found)) return undefined
      return { remainingMs: Number(found[0]), text: String(found[1]) }
    },
    claim: async (key, { token, forMs }) => (await run(CLAIM, [claimOn(key)], token, forMs)) === 1,
    write: async (key, { token, forMs }, text, lifeMs) => {
      await run(WRITE, [key, claimOn(key)], token, text, lifeMs, forMs)
    },
  }
}
