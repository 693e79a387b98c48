// @module-tag redis-server
import { redisCheck } from '@baldur/health-core/redis'
import { type PrivateServer, startRedis, until } from 'health-testkit'
import Ioredis, { Cluster } from 'ioredis'
import Ioredis5 from 'ioredis-5'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, type MadeClient } from './redis-clients.ts'
import { CROWD_TOLERANCE_MS, type Served, serveHealth, TOLERANCE_MS } from './service.ts'

const BUDGET_MS = 500
const RUN_MS = 100

let redis: PrivateServer
let observer: Ioredis
let served: Served | undefined
let made: MadeClient | undefined

beforeAll(async () => {
  redis = await startRedis()
  observer = new Ioredis(redis.port)
  observer.on('error', () => undefined)
})
afterEach(async () => {
  await redis.resume()
  await served?.close()
  made?.close()
  served = undefined
  made = undefined
})
afterAll(async () => {
  observer.disconnect()
  await redis.stop()
})

/** How many PINGs the server has carried out since it started. */
const pings = async (): Promise<number> =>
  Number(/cmdstat_ping:calls=(\d+)/.exec(await observer.info('commandstats'))?.[1] ?? 0)
const connections = async (): Promise<number> =>
  Number(/connected_clients:(\d+)/.exec(await observer.info('clients'))?.[1])

describe.each(CLIENTS)('a stalled Redis (%s)', (_name, make) => {
  const start = async (): Promise<Served> => {
    made = make(redis.port)
    served = await serveHealth({
      checks: [redisCheck(made.client, { timeoutMs: RUN_MS })],
      readiness: { cacheTtlMs: 0 },
    })
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    return served
  }

  test('100 polls, over many runs: each within its budget and timed_out, one PING outstanding, no further connection', async () => {
    const { get } = await start()
    const before = await pings()
    const open = await connections()
    await redis.pause()
    for (let wave = 0; wave < 5; wave++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get('/health/ready')))
      for (const { status, body } of answers)
        expect([status, body.checks]).toEqual([503, { redis: 'timed_out' }])
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BUDGET_MS + CROWD_TOLERANCE_MS)
    }
    const live = await get('/health/live')
    expect(live.status).toBe(200)
    expect(live.ms).toBeLessThan(TOLERANCE_MS)
    await redis.resume()
    // what was sent meanwhile is carried out in order before this is answered
    expect((await pings()) - before).toBe(1)
    expect(await connections()).toBe(open)
    await until(async () => (await get('/health/ready')).status === 200)
  })

  test('runs that time out leave no listener on the client, and nothing else that adds up', async () => {
    const { get } = await start()
    const client = made?.client as unknown as NodeJS.EventEmitter
    const names = client.eventNames().map((name) => [name, client.listenerCount(name)])
    const resources = process.getActiveResourcesInfo().length
    await redis.pause()
    for (let run = 0; run < 4; run++) await get('/health/ready')
    await until(
      async () =>
        JSON.stringify(client.eventNames().map((name) => client.listenerCount(name))) ===
        JSON.stringify(names.map(([, count]) => count)),
    )
    await redis.resume()
    await until(async () => (await get('/health/ready')).status === 200)
    await until(() => process.getActiveResourcesInfo().length <= resources + 1)
    await served?.health.close()
    expect(client.listenerCount('ready')).toBe(Number(names.find(([name]) => name === 'ready')?.[1]) - 1)
  })
})

const impatient = { commandTimeout: 50, retryStrategy: () => 50 }
const IMPATIENT: readonly [name: string, make: () => Ioredis | Cluster][] = [
  ['ioredis 6', () => new Ioredis(redis.port, impatient)],
  ['ioredis 5.0', () => new Ioredis5(redis.port, impatient) as unknown as Ioredis],
  ['pipelining by itself', () => new Ioredis(redis.port, { ...impatient, enableAutoPipelining: true })],
]

describe('a stalled Redis behind a client that gives up sooner than the check', () => {
  async function serve(client: Ioredis | Cluster): Promise<Served> {
    client.on('error', () => undefined)
    made = { client, close: () => client.disconnect() }
    served = await serveHealth({
      checks: [redisCheck(client, { timeoutMs: RUN_MS })],
      readiness: { cacheTtlMs: 0 },
    })
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    return served
  }
  async function pollStalled({ get }: Served): Promise<void> {
    for (let poll = 0; poll < 20; poll++) {
      const { status, body } = await get('/health/ready')
      expect([status, body.checks]).toEqual([503, { redis: 'not_ready' }])
    }
  }

  test.each(IMPATIENT)('what it gave up stays the one PING outstanding (%s)', async (_name, makeClient) => {
    const all = await serve(makeClient())
    const before = await pings()
    await redis.pause()
    await pollStalled(all)
    await redis.resume()
    expect((await pings()) - before).toBe(1)
    await until(async () => (await all.get('/health/ready')).status === 200)
  })

  test('a new connection is asked anew, whatever became of the old one', async () => {
    const client = new Ioredis(redis.port, impatient)
    const all = await serve(client)
    await redis.pause()
    await pollStalled(all)
    client.disconnect(true)
    await redis.resume()
    await until(async () => (await all.get('/health/ready')).status === 200)
  })

  test('on the node of a cluster, too', async () => {
    const node = await startRedis({
      settings: { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' },
    })
    const inside = new Ioredis(node.port)
    try {
      await inside.cluster('ADDSLOTSRANGE', 0, 16_383)
      await until(async () => String(await inside.cluster('INFO')).includes('cluster_state:ok'))
      const cluster = new Cluster([{ host: '127.0.0.1', port: node.port }], { redisOptions: impatient })
      const all = await serve(cluster)
      const count = async (): Promise<number> =>
        Number(/cmdstat_ping:calls=(\d+)/.exec(await inside.info('commandstats'))?.[1] ?? 0)
      const before = await count()
      await node.pause()
      await pollStalled(all)
      await node.resume()
      expect((await count()) - before).toBe(1)
      await until(async () => (await all.get('/health/ready')).status === 200)
    } finally {
      await node.resume()
      inside.disconnect()
      await served?.close()
      made?.close()
      await node.stop()
    }
  })
})
