// @module-tag redis-server
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthOptions, RedisClient } from '@baldur/health-core'
import { type FaultProxy, faultProxy, freePort, type PrivateServer, startRedis, until } from 'health-testkit'
import { Cluster, Redis } from 'ioredis'
import Redis5 from 'ioredis-5'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TOLERANCE_MS } from './service.ts'
import { type SharedService, startShared } from './shared-service.ts'

/** As short as they can be, so that a test sees many of them. */
const SHORT = { l1TtlMs: 100, l2TtlMs: 1_500, refreshIntervalMs: 1_000 }

let redis: PrivateServer
let admin: Redis
let ended: (() => unknown)[] = []

beforeAll(async () => {
  redis = await startRedis({ settings: AT_ONCE })
  admin = new Redis(redis.url, { retryStrategy: () => 50 })
  admin.on('error', () => undefined)
})
beforeEach(() => admin.flushall())
afterEach(async () => {
  for (const end of ended.reverse()) await end()
  ended = []
})
afterAll(async () => {
  admin?.disconnect()
  await redis?.stop()
})

async function start(options: HealthOptions): Promise<SharedService> {
  const service = await startShared({ ...options, verdict: { ...SHORT, ...options.verdict } })
  ended.push(service.close)
  return service
}
const ofUrl = (url = redis.url, options: HealthOptions = {}): Promise<SharedService> =>
  start({ ...options, env: { BALDUR_REDIS_URL: url } })

function client(url = redis.url, options: object = {}): Redis {
  const made = new Redis(url, { retryStrategy: () => 100, ...options })
  made.on('error', () => undefined)
  ended.push(() => made.disconnect())
  return made
}
const keys = async (of = admin): Promise<string[]> =>
  (await of.keys('*')).filter((key) => !key.endsWith(':claim'))

/** Asks until the key of a service is there; each time in which it is not, its time goes on by so much. */
async function shares(one: SharedService, { inRedis = admin, jumpMs = 1_000 } = {}): Promise<void> {
  await until(
    async () => {
      await one.get()
      if ((await keys(inRedis)).length === 1) return true
      await one.jump(jumpMs)
      return false
    },
    { timeoutMs: 25_000, everyMs: 50 },
  )
}

/** Asks until its answer is that of another process. */
const reads = (one: SharedService): Promise<unknown> =>
  until(async () => {
    const { body } = await one.get()
    if (body._cache.hit === 'L2') return true
    await one.jump(1_000)
    return false
  })

/** Within two seconds of its own time its answer has that status. */
async function turns(one: SharedService, wanted: number): Promise<void> {
  const steps = 20
  for (let step = 0; (await one.get()).status !== wanted; step++) {
    expect(step).toBeLessThan(steps)
    await one.jump(2_000 / steps)
  }
}

/** A replica copies at once instead of waiting for others. */
const AT_ONCE = { 'repl-diskless-sync-delay': '0' }

async function startReplica({ port }: PrivateServer): Promise<PrivateServer> {
  const replica = await startRedis({ settings: { replicaof: `127.0.0.1 ${port}` } })
  ended.push(() => replica.stop())
  const inside = client(replica.url)
  await until(async () => String(await inside.info('replication')).includes('master_link_status:up'), {
    timeoutMs: 20_000,
  })
  return replica
}

describe('check results are shared over', () => {
  const clients: readonly (readonly [what: string, make: () => RedisClient | Promise<RedisClient>])[] = [
    ['a client of ioredis', () => client()],
    ['a client that waits for its first command', () => client(redis.url, { lazyConnect: true })],
    ['a client that puts a prefix before its keys', () => client(redis.url, { keyPrefix: 'app:' })],
    ['a client that pipelines by itself', () => client(redis.url, { enableAutoPipelining: true })],
    [
      'the oldest ioredis',
      () => {
        const old = new Redis5(redis.url)
        ended.push(() => old.disconnect())
        return old
      },
    ],
  ]

  test.each(clients)('%s', async (_what, make) => {
    const first = await start({ redis: await make() })
    const second = await start({ redis: await make() })
    // longer than a result of its own counts, so that what it says without a run is that of the other
    await until(async () => {
      await shares(first)
      const before = second.runs
      await second.jump(SHORT.l2TtlMs + 500)
      return (await second.get()).body._cache.hit === 'L2' && second.runs === before
    })
    expect(first.lines.concat(second.lines).filter((line) => line.includes('shared'))).toEqual([])
  })

  test('a connection of its own to BALDUR_REDIS_URL, one per process, with the password of its variable', async () => {
    const secured = await startRedis({ settings: { requirepass: 's3cret/@:' } })
    ended.push(() => secured.stop())
    const env = { BALDUR_REDIS_URL: `${secured.url}/2`, BALDUR_REDIS_PASSWORD: 's3cret/@:' }
    const first = await start({ env })
    await first.get()
    const inside = client(secured.url, { password: 's3cret/@:', db: 2 })
    const second = await start({ env })
    await shares(first, { inRedis: inside })
    expect(await keys(inside)).toEqual([expect.stringMatching(/^baldur:\{orders\}:verdict:/)])
    await reads(second)
    const connections = String(await inside.client('LIST'))
      .split('\n')
      .filter((line) => line.includes('id='))
    expect(connections).toHaveLength(3)
    await first.close()
    await until(
      async () =>
        String(await inside.client('LIST'))
          .trim()
          .split('\n').length === 2,
    )
  })

  test('Sentinel, also after a fail-over', async () => {
    const master = await startRedis({ settings: AT_ONCE })
    ended.push(() => master.stop())
    const replica = await startReplica(master)
    const sentinel = await startRedis({
      sentinel: true,
      settings: {
        sentinel: [
          `monitor main 127.0.0.1 ${master.port} 1`,
          'down-after-milliseconds main 500',
          'failover-timeout main 2000',
        ],
      },
    })
    ended.push(() => sentinel.stop())
    const sentinels = [{ host: '127.0.0.1', port: sentinel.port }]
    const made = new Redis({ sentinels, name: 'main', sentinelRetryStrategy: () => 100 })
    made.on('error', () => undefined)
    ended.push(() => made.disconnect())
    const knowing = new Redis({ port: sentinel.port })
    ended.push(() => knowing.disconnect())
    await until(
      async () => String(await knowing.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica.port)),
      {
        timeoutMs: 20_000,
      },
    )
    const one = await start({ redis: made })
    await shares(one, { inRedis: client(master.url) })
    await master.crash()
    const promoted = client(replica.url)
    await until(async () => String(await promoted.info('replication')).includes('role:master'), {
      timeoutMs: 15_000,
    })
    await until(
      async () => {
        const { status, ms } = await one.get()
        expect([status, ms < 50 + TOLERANCE_MS]).toEqual([200, true])
        await one.jump(1_000)
        return (await keys(promoted)).length === 1
      },
      { timeoutMs: 25_000, everyMs: 50 },
    )
  })

  test('a cluster: what belongs together lies on one node', async () => {
    // to be named to each other
    const buses = await Promise.all([freePort(), freePort(), freePort()])
    const nodes = await Promise.all(
      buses.map((bus) => startRedis({ settings: { 'cluster-enabled': 'yes', 'cluster-port': String(bus) } })),
    )
    ended.push(...nodes.map((node) => () => node.stop()))
    const admins = nodes.map(({ url }) => client(url))
    const bounds = [0, 5_461, 10_923, 16_384]
    await Promise.all(
      admins.map((one, index) =>
        one.cluster('ADDSLOTSRANGE', bounds[index] ?? 0, (bounds[index + 1] ?? 0) - 1),
      ),
    )
    for (const index of [1, 2]) {
      await admins[0]?.call('CLUSTER', 'MEET', '127.0.0.1', `${nodes[index]?.port}`, `${buses[index]}`)
    }
    await until(async () => String(await admins[0]?.cluster('INFO')).includes('cluster_state:ok'), {
      timeoutMs: 20_000,
    })
    const make = (): Cluster => {
      const cluster = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
      cluster.on('error', () => undefined)
      ended.push(() => cluster.disconnect())
      return cluster
    }
    for (const namespace of ['orders', 'billing', 'a', 'b', 'c']) {
      const [first, second] = [
        await start({ redis: make(), namespace }),
        await start({ redis: make(), namespace }),
      ]
      await first.get()
      await reads(second)
      expect(first.lines.filter((line) => line.includes('cannot'))).toEqual([])
    }
  })
})

describe('an entry', () => {
  test('is one short text with a life that Redis ends, and a namespace of its own', async () => {
    const one = await ofUrl()
    const other = await ofUrl(redis.url, { namespace: 'billing' })
    await shares(one)
    const [key = ''] = await keys()
    expect(key).toMatch(/^baldur:\{orders\}:verdict:1:/)
    expect(JSON.parse((await admin.get(key)) ?? '')).toMatchObject({ v: 1, checks: { database: 'usable' } })
    const life = await admin.pttl(key)
    expect(life).toBeGreaterThan(0)
    expect(life).toBeLessThanOrEqual(1_500)
    one.behave(false)
    expect((await other.get()).body._cache.hit).toBe('L3')
    expect((await other.get()).body.status).toBe('healthy')
  })

  test('that is written late, after a stall of Redis, is thrown away', async () => {
    const one = await start({ redis: client(), verdict: { refresh: false } })
    await shares(one)
    await admin.flushall()
    // the claim gets through, the write meets a server that stands still
    let isHeld = false
    const held = client()
    const slow: RedisClient = {
      get status() {
        return held.status
      },
      eval: async (script, count, ...rest) => {
        if (count === 2) {
          isHeld = true
          await redis.pause()
        }
        return held.eval(script, count, ...rest)
      },
    }
    const late = await start({ redis: slow, verdict: { budgetMs: 500 } })
    await until(async () => {
      await late.get()
      if (!isHeld) await late.jump(1_000)
      return isHeld
    })
    // by the clock of Redis, which is the one that counts here
    await sleep(SHORT.l2TtlMs)
    await redis.resume()
    await until(async () => (await admin.ping()) === 'PONG')
    expect(await keys()).toEqual([])
  })
})

/** Healthy answers, each within its bound, for some time of the service, in steps of its L1. */
async function staysRight(service: SharedService, forMs: number): Promise<void> {
  for (let passed = 0; passed <= forMs; passed += SHORT.l1TtlMs) {
    const { status, body, ms } = await service.get()
    expect([status, body.status]).toEqual([200, 'healthy'])
    expect(ms).toBeLessThan(50 + TOLERANCE_MS)
    expect(body._cache.age_ms).toBeLessThan(1_500)
    await service.jump(SHORT.l1TtlMs)
  }
}

describe('health stays right and within its bound while Redis', () => {
  test.each(['a client', 'a URL'])('is refused, stands still, breaks and comes back (%s)', async (how) => {
    const proxy: FaultProxy = await faultProxy(redis.port)
    ended.push(() => proxy.close())
    const url = `redis://127.0.0.1:${proxy.port}`
    const one = how === 'a URL' ? await ofUrl(url) : await start({ redis: client(url) })
    await shares(one)
    for (const fault of [() => proxy.refuse(), () => proxy.blackhole(), () => proxy.reset()]) {
      await fault()
      await staysRight(one, 1_500)
      one.behave(false)
      await turns(one, 503)
      one.behave(true)
      await turns(one, 200)
      if (fault.toString().includes('refuse')) await proxy.accept()
      else {
        // what was swallowed is lost for good: only a new connection helps
        proxy.reset()
        proxy.pass()
      }
    }
    await shares(one, { jumpMs: 10_000 })
  })

  test('stands still for long: one command is outstanding, and none waits in line', async () => {
    const commands: string[] = []
    const fake: Server = createServer((socket) => {
      socket.on('data', (data) => commands.push(String(data)))
      socket.on('error', () => undefined)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => fake.listen(port, '127.0.0.1', resolve))
    const sockets = new Set<{ destroy(): void }>()
    fake.on('connection', (socket) => sockets.add(socket))
    ended.push(() => {
      for (const socket of sockets) socket.destroy()
      fake.close()
    })
    const own = await ofUrl(`redis://127.0.0.1:${port}`)
    await staysRight(own, 3_000)
    expect(commands).toHaveLength(1)
    const given = client(`redis://127.0.0.1:${port}`, {
      enableReadyCheck: false,
      disableClientInfo: true,
      protocol: 2,
    })
    await until(() => given.status === 'ready')
    const other = await start({ redis: given })
    await staysRight(other, 3_000)
    expect(commands).toHaveLength(2)
  })

  test('stands still for longer than a client waits for a command: what it gave up stays the only one', async () => {
    const impatient = client(redis.url, { commandTimeout: 40 })
    const one = await start({ redis: impatient })
    await shares(one)
    await redis.pause()
    ended.push(() => redis.resume())
    const { commandQueue } = impatient
    // each rest of 10 s is followed by another question
    await staysRight(one, 12_000)
    expect(commandQueue.length).toBe(1)
    await redis.resume()
    await shares(one, { jumpMs: 10_000 })
  })

  test('is down: a client that keeps commands until it is connected is not filled up', async () => {
    const nowhere = client(`redis://127.0.0.1:${await freePort()}`)
    const one = await start({ redis: nowhere })
    await staysRight(one, 3_000)
    const { offlineQueue } = nowhere as unknown as { offlineQueue: { length: number } }
    expect(offlineQueue.length).toBeLessThanOrEqual(1)
  })

  test('restarts with nothing in it', async () => {
    const one = await ofUrl()
    await shares(one)
    await redis.crash()
    await staysRight(one, 1_000)
    await redis.restart()
    await shares(one, { jumpMs: 10_000 })
    await staysRight(one, 1_000)
  })

  test('speaks another language', async () => {
    const chatter = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () =>
        socket.write('HTTP/1.1 400 Bad Request\r\n\r\n\u0000\u00ff$-7\r\n*9999999999\r\n'),
      )
    })
    const port = await freePort()
    await new Promise<void>((resolve) => chatter.listen(port, '127.0.0.1', resolve))
    ended.push(() => chatter.close())
    const one = await ofUrl(`redis://127.0.0.1:${port}`)
    await staysRight(one, 3_000)
  })

  test.each([
    ['a list', (key: string) => admin.rpush(key, 'a')],
    ['garbage', (key: string) => admin.set(key, Buffer.from([0, 255, 123]))],
    ['a text without an end', (key: string) => admin.set(key, '{"v":1}')],
    ['ten megabytes', (key: string) => admin.set(key, 'x'.repeat(10_000_000), 'PX', 60_000)],
    ['an entry without an end', async (key: string) => (await admin.persist(key)) || admin.set(key, '{}')],
  ])('holds %s under our key, which is written over', async (_what, put) => {
    const one = await ofUrl()
    await shares(one)
    const [key = ''] = await keys()
    await admin.del(key)
    await put(key)
    await staysRight(one, 500)
    await until(async () => {
      await one.get()
      if ((await admin.type(key)) === 'string' && (await admin.pttl(key)) > 0) return true
      await one.jump(1_000)
      return false
    })
  })

  test('holds a huge value under our key, which is not fetched, and which is written over', async () => {
    const one = await ofUrl()
    await shares(one)
    const [key = ''] = await keys()
    const sent = async (): Promise<number> =>
      Number(/total_net_output_bytes:(\d+)/.exec(await admin.info('stats'))?.[1])
    await admin.set(key, Buffer.alloc(100_000_000, 'x'), 'PX', 60_000)
    const before = await sent()
    await staysRight(one, 500)
    await until(async () => {
      await one.get()
      if ((await admin.strlen(key)) < 1_000) return true
      await one.jump(1_000)
      return false
    })
    expect((await sent()) - before).toBeLessThan(1_000_000)
  })

  test.each([
    ['a claim without an end', (claim: string) => admin.set(claim, 'x')],
    ['a claim of another kind', (claim: string) => admin.rpush(claim, 'a')],
    [
      'a claim of another kind with an end',
      async (claim: string) => (await admin.rpush(claim, 'a')) && admin.pexpire(claim, 3_600_000),
    ],
  ])('holds %s, which is taken over', async (_what, put) => {
    const one = await ofUrl()
    await shares(one)
    const [key = ''] = await keys()
    await put(`${key}:claim`)
    await admin.del(key)
    await shares(one)
    await staysRight(one, 500)
    expect(one.lines.filter((line) => line.includes('shared'))).toEqual([])
  })

  test('holds a claim of another process: it is left alone until it ends', async () => {
    const one = await ofUrl()
    await shares(one)
    const [key = ''] = await keys()
    await admin.set(`${key}:claim`, 'x', 'PX', 60_000)
    await admin.del(key)
    await staysRight(one, 1_000)
    expect([await admin.get(`${key}:claim`), await keys()]).toEqual(['x', []])
  })

  test('is full, and refuses to write', async () => {
    const full = await startRedis({ settings: { maxmemory: '1', 'maxmemory-policy': 'noeviction' } })
    ended.push(() => full.stop())
    const one = await ofUrl(full.url)
    await staysRight(one, 3_000)
    expect(one.lines.filter((line) => line.includes('shared'))).toHaveLength(1)
    expect(one.lines[0]).toMatch(/^shared store not writable, .*OOM/)
  })

  test('evicts all the time', async () => {
    const tight = await startRedis({ settings: { maxmemory: '2mb', 'maxmemory-policy': 'allkeys-random' } })
    ended.push(() => tight.stop())
    const crowd = client(tight.url)
    let isOver = false
    const filling = (async () => {
      for (let i = 0; !isOver; i++) {
        await crowd.set(`k${i}`, 'x'.repeat(50_000)).catch(() => undefined)
        await sleep(1)
      }
    })()
    const evicted = async (): Promise<number> =>
      Number(/evicted_keys:(\d+)/.exec(String(await crowd.info('stats')))?.[1])
    const one = await ofUrl(tight.url)
    await until(async () => (await evicted()) > 0)
    const before = await evicted()
    await staysRight(one, 3_000)
    expect(await evicted()).toBeGreaterThan(before)
    isOver = true
    await filling
    expect(one.runs).toBeLessThan(12)
  })

  test('is a read-only replica: what is there is read, the rest computed', async () => {
    const replica = await startRedis({ settings: { replicaof: `127.0.0.1 ${redis.port}` } })
    ended.push(() => replica.stop())
    await until(async () =>
      String(await client(replica.url).info('replication')).includes('master_link_status:up'),
    )
    const one = await ofUrl(replica.url)
    await staysRight(one, 3_000)
    expect(one.lines.filter((line) => line.includes('shared'))).toEqual([
      expect.stringMatching(/^shared store not writable, .*READONLY/),
    ])
    const writer = await ofUrl()
    await shares(writer)
    const before = one.runs
    await staysRight(one, 900)
    await writer.get()
    expect((await one.get()).body._cache.hit).toMatch(/L[12]/)
    expect(one.runs - before).toBeLessThanOrEqual(1)
  })

  test('wants a password that we do not have', async () => {
    const locked = await startRedis({ settings: { requirepass: 'x' } })
    ended.push(() => locked.stop())
    const one = await ofUrl(locked.url)
    await staysRight(one, 2_000)
    expect(one.lines).toEqual([expect.stringMatching(/^shared store not readable, .*NOAUTH/)])
  })

  test('refuses the password that we have: the reason is told, the password is not', async () => {
    const locked = await startRedis({ settings: { requirepass: 'x' } })
    ended.push(() => locked.stop())
    const env = { BALDUR_REDIS_URL: locked.url, BALDUR_REDIS_PASSWORD: 'wr0ng-Pw' }
    const one = await start({ env })
    await staysRight(one, 1_000)
    expect(one.lines).toEqual([
      expect.stringMatching(/^shared store not readable, .*: WRONGPASS: .*\(WRONGPASS invalid/),
    ])
    expect(one.lines.join()).not.toContain('wr0ng-Pw')
  })

  test('takes no connections: the reason is told', async () => {
    const one = await ofUrl(`redis://:s3cret@127.0.0.1:${await freePort()}`)
    await staysRight(one, 1_000)
    expect(one.lines).toEqual([expect.stringMatching(/^shared store not readable, .*: ECONNREFUSED: /)])
    expect(one.lines.join()).not.toContain('s3cret')
  })

  test('is spoken to in TLS and does not know it: the reason is told when it is known', async () => {
    const one = await ofUrl(redis.url.replace('redis:', 'rediss:'))
    await staysRight(one, 1_000)
    await until(() => one.lines.length > 1)
    expect(one.lines).toEqual([
      expect.stringMatching(/^shared store not readable, /),
      expect.stringMatching(/^shared store failed \(late reply\): ETIMEDOUT: /),
    ])
  })
})
