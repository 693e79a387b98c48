// @module-tag redis-server
import { type RedisCheckOptions, redisCheck } from '@baldur/health-core/redis'
import {
  freePort,
  jumpingClock,
  type PrivateServer,
  type RedisOptions,
  startRedis,
  until,
} from 'health-testkit'
import Ioredis from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { CLIENTS, type ClientOptions, type MadeClient } from './redis-clients.ts'
import { type Served, serveHealth } from './service.ts'

let redis: PrivateServer
let served: Served | undefined
let made: MadeClient | undefined
const observers: Ioredis[] = []
const clock = jumpingClock()
/** For so long a run counts for the pool. */
const RUN_COUNTS_MS = 1_000
/** The answer that is on its way must not count as late for the jump. */
const untilRunsCountNoMore = async (): Promise<void> => {
  await clock.untilTimersAreLonger(50)
  clock.jump(RUN_COUNTS_MS)
}

afterEach(async () => {
  await served?.close()
  made?.close()
  for (const one of observers.splice(0)) one.disconnect()
  await redis.stop()
  served = undefined
  made = undefined
})

const observe = (password?: string): Ioredis => {
  const observer = new Ioredis({ port: redis.port, ...(password === undefined ? {} : { password }) })
  observers.push(observer)
  return observer
}

describe.each(CLIENTS)('what the server answers instead (%s)', (_name, make) => {
  const begin = async (
    settings: NonNullable<RedisOptions['settings']>,
    { client, check }: { client?: ClientOptions; check?: RedisCheckOptions } = {},
  ): Promise<Served> => {
    redis = await startRedis({ settings })
    made = make(redis.port, client)
    served = await serveHealth({
      clock,
      // its samples never end
      watchdog: false,
      databases: { default: redisCheck(made.client, check) },
      readiness: { cacheTtlMs: 0 },
    })
    return served
  }
  const reads = async (error: string | undefined): Promise<void> => {
    const { get } = served as Served
    await until(
      async () => {
        await untilRunsCountNoMore()
        const { body, text } = await get('/health/pool')
        if (body.error !== error) throw new Error(`the pool says ${text}`)
        return true
      },
      { message: `the pool to say ${error}` },
    )
    expect((await get('/health/ready')).body.checks).toEqual({
      database_default: error === undefined ? 'ready' : 'not_ready',
    })
  }

  test('a wrong password, and none', async () => {
    await begin({ requirepass: 'right' }, { client: { password: 'hunter2' } })
    await reads('WRONGPASS: authentication failed')
    expect((await (served as Served).get('/health/pool')).text).not.toContain('hunter2')
    expect((served as Served).lines.join()).not.toContain('hunter2')
    await served?.close()
    made?.close()
    await redis.stop()
    await begin({ requirepass: 'right' })
    await reads('NOAUTH: authentication required')
  })

  test('the right password of a user with an ACL, who may not write', async () => {
    const user = ['default on nopass ~* +@all', 'app on >hunter2 ~app:* +@all -setrange']
    await begin({ user }, { client: { username: 'app', password: 'hunter2' } })
    await reads(undefined)
    await served?.close()
    made?.close()
    await redis.stop()
    await begin(
      { user },
      { client: { username: 'app', password: 'hunter2' }, check: { requireWritable: true } },
    )
    await reads('NOPERM: permission denied')
  })

  test('LOADING while it reads its data', async () => {
    await begin({ 'key-load-delay': '0', 'loading-process-events-interval-bytes': '1024' })
    await reads(undefined)
    const observer = observe()
    const hurrying = observe()
    await hurrying.ping()
    await observer.call('DEBUG', 'POPULATE', '2000', 'key', '100')
    // 2000 keys, each 10 ms, until it has been seen
    await observer.config('SET', 'key-load-delay', '10000')
    const reloaded = observer.call('DEBUG', 'RELOAD')
    await reads('LOADING: server is loading its data')
    await hurrying.config('SET', 'key-load-delay', '0')
    await reloaded
    await reads(undefined)
  })

  test('MASTERDOWN on a replica that serves no stale data', async () => {
    const nobody = await freePort()
    await begin({ replicaof: `127.0.0.1 ${nobody}`, 'replica-serve-stale-data': 'no' })
    await reads('MASTERDOWN: replica has lost its primary')
  })

  test('requireWritable: a replica, a full memory and a master without replicas are not usable; a PING says nothing of it', async () => {
    await begin({ maxmemory: '100mb' }, { check: { requireWritable: true } })
    await reads(undefined)
    const observer = observe()
    expect(await observer.dbsize()).toBe(0)
    await observer.config('SET', 'maxmemory', '1')
    await reads('OOM: server is out of memory')
    await observer.config('SET', 'maxmemory', '0')
    await observer.config('SET', 'min-replicas-to-write', '1')
    await reads('NOREPLICAS: too few replicas, writes are refused')
    await observer.config('SET', 'min-replicas-to-write', '0')
    await observer.set('baldur:health:writable', 'x')
    await reads(undefined)
    await observer.del('baldur:health:writable')
    await observer.lpush('baldur:health:writable', 'x')
    await reads(undefined)
    await observer.replicaof('127.0.0.1', String(await freePort()))
    await reads('READ_ONLY: server is read-only')
    const plain = await serveHealth({ databases: { default: redisCheck((made as MadeClient).client) } })
    expect((await plain.get('/health/ready')).status).toBe(200)
    await plain.close()
  })
})

// redis 4.2 throws past every handler when the server speaks unasked, with a check or without
describe.each(CLIENTS.filter(([name]) => name !== 'redis 4.2'))('too many clients (%s)', (_name, make) => {
  test('the one that is refused reads so, or as cut off', async () => {
    redis = await startRedis({ settings: { maxclients: '1' } })
    const first = make(redis.port)
    await until(() => redisCheck(first.client).stats?.().connection === 'ready')
    made = make(redis.port)
    served = await serveHealth({
      clock,
      watchdog: false,
      databases: { default: redisCheck(made.client) },
    })
    const { get } = served
    const pool = async (): ReturnType<typeof get> => {
      await untilRunsCountNoMore()
      return get('/health/pool')
    }
    const refused = /^(?:MAXCLIENTS|ECONNRESET|EPIPE|NOT_CONNECTED): /
    await until(async () => refused.test((await pool()).body.error ?? ''))
    first.close()
    await until(async () => (await pool()).status === 200)
  })
})
