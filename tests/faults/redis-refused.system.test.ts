// @module-tag redis-server
import { redisCheck } from '@baldur/health-core/redis'
import { freePort, type PrivateServer, startRedis, until } from 'health-testkit'
import Ioredis from 'ioredis'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, type MadeClient } from './redis-clients.ts'
import { CROWD_TOLERANCE_MS, type Served, serveHealth, TOLERANCE_MS } from './service.ts'

let redis: PrivateServer
let served: Served | undefined
let made: MadeClient | undefined

beforeAll(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await served?.close()
  made?.close()
  served = undefined
  made = undefined
})
afterAll(() => redis.stop())

/** As the only database, so that the pool endpoint tells why. */
const serve = (client: MadeClient): Promise<Served> =>
  serveHealth({
    databases: { default: redisCheck(client.client) },
    readiness: { cacheTtlMs: 0 },
  })

const pings = async (): Promise<number> => {
  const observer = new Ioredis(redis.port)
  const stats = await observer.info('commandstats')
  observer.disconnect()
  return Number(/cmdstat_ping:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}

describe.each(CLIENTS)('a Redis that refuses (%s)', (_name, make) => {
  test('100 probes while it is down: not_ready at once, a code, no host or port; on its return ready again, and no burst of PINGs', async () => {
    made = make(redis.port)
    served = await serve(made)
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    await redis.crash()
    await until(async () => (await get('/health/ready')).status === 503)
    const queued = made.client as { offlineQueue?: { length: number } }
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/health/ready')))
    for (const { status, body } of answers)
      expect([status, body.checks]).toEqual([503, { database_default: 'not_ready' }])
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(CROWD_TOLERANCE_MS)
    expect(queued.offlineQueue?.length ?? 0).toBeLessThanOrEqual(1)
    const pool = await get('/health/pool')
    expect(pool.status).toBe(503)
    expect(pool.body.error).toMatch(
      /^(?:ECONNREFUSED: connection refused|ECONNRESET: connection reset|NOT_CONNECTED: client is not connected)$/,
    )
    expect(pool.text).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${redis.port}`))
    await redis.restart()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000, everyMs: 50 })
    // one for each poll since, and one that was outstanding
    expect(await pings()).toBeLessThanOrEqual(3)
  })

  test('down from the start: not_ready, and ready once it is there', async () => {
    const port = await freePort()
    made = make(port)
    served = await serve(made)
    const { get } = served
    const first = await get('/health/ready')
    expect([first.status, first.body.checks]).toEqual([503, { database_default: 'not_ready' }])
    expect(first.ms).toBeLessThan(TOLERANCE_MS)
    await until(async () => (await get('/health/pool')).body.error === 'ECONNREFUSED: connection refused')
    const late = await startRedis({ port })
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000, everyMs: 50 })
    await late.stop()
  })

  test('restarted while a PING is outstanding: that run fails, the next ones do not, the process lives', async () => {
    made = make(redis.port)
    served = await serve(made)
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    await redis.pause()
    const asked = get('/health/ready')
    await redis.crash()
    expect((await asked).status).toBe(503)
    await redis.restart()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000, everyMs: 50 })
  })
})

describe('a client of the application', () => {
  test('that is lazy is connected by the first run, as its first command would', async () => {
    const client = new Ioredis(redis.port, { lazyConnect: true })
    made = { client, close: () => client.disconnect() }
    served = await serve(made)
    expect((await served.get('/health/ready')).status).toBe(200)
  })

  test('that is made when the service starts is waited for, within the budget', async () => {
    const client = new Ioredis(redis.port)
    made = { client, close: () => client.disconnect() }
    served = await serve(made)
    expect((await served.get('/health/ready')).status).toBe(200)
  })

  test('that was closed stays closed, and reads NOT_CONNECTED', async () => {
    const clients = [new Ioredis(redis.port), createClient({ url: redis.url })] as const
    await clients[1].on('error', () => undefined).connect()
    await clients[0].ping()
    clients[0].disconnect()
    await clients[1].disconnect()
    for (const client of clients) {
      const one = await serveHealth({ databases: { default: redisCheck(client) } })
      const { body } = await one.get('/health/pool')
      expect(body.error).toBe('NOT_CONNECTED: client is not connected')
      expect(body.pool_info?.connection).toMatch(/^(?:end|close|closed)$/)
      await one.close()
    }
    expect([clients[0].status, clients[1].isOpen]).toEqual(['end', false])
  })

  test('is left as it was when the health is closed', async () => {
    const client = new Ioredis(redis.port)
    made = { client, close: () => client.disconnect() }
    served = await serve(made)
    await served.get('/health/ready')
    await served.health.close()
    expect(await client.ping()).toBe('PONG')
  })
})
