import {
  type FaultProxy,
  faultProxy,
  type PrivatePostgres,
  rawRequest,
  startPostgres,
  until,
} from 'health-testkit'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CROWD_TOLERANCE_MS, type Service, startService, TOLERANCE_MS } from './service.ts'

const BUDGET_MS = 500

let postgres: PrivatePostgres
let service: Service | undefined
let proxy: FaultProxy

beforeAll(async () => {
  postgres = await startPostgres()
  proxy = await faultProxy(postgres.port)
})
afterEach(async () => {
  await postgres.resume()
  proxy.pass()
  await service?.close()
  service = undefined
})
afterAll(async () => {
  await proxy.close()
  await postgres.stop()
})

const throughProxy = (): string => postgres.url.replace(String(postgres.port), String(proxy.port))

/** Each way that a database accepts and never answers; `begin` is called with a warm or a cold service. */
const STALLS: readonly [
  name: string,
  url: () => string,
  begin: () => void | Promise<void>,
  end: () => void | Promise<void>,
][] = [
  ['every server process stopped', () => postgres.url, () => postgres.pause(), () => postgres.resume()],
  ['a proxy that accepts and never answers', throughProxy, () => proxy.blackhole(), () => proxy.pass()],
  ['a stall in the middle of the handshake', throughProxy, () => proxy.stallAfter(9), () => proxy.pass()],
]

describe.each(STALLS)('a stalled database (%s)', (name, url, begin, end) => {
  test('from the start: every answer within its budget, timed_out, and never ready, whatever the fail direction', async () => {
    service = await startService(url(), { health: { readiness: { timeoutFailDirection: 'ready' } } })
    await begin()
    const ready = await service.get('/health/ready')
    expect(ready).toMatchObject({ status: 503, body: { checks: { database_default: 'timed_out' } } })
    expect(ready.ms).toBeLessThan(BUDGET_MS + TOLERANCE_MS)
    const [health, pool, live] = await Promise.all(
      ['/health', '/health/pool', '/health/live'].map((path) => (service as Service).get(path)),
    )
    expect(health).toMatchObject({ status: 503, body: { checks: { database: 'timed_out' } } })
    expect(pool).toMatchObject({ status: 503, body: { status: 'degraded' } })
    expect(pool?.body.error).toMatch(/^TIMEOUT: no (answer|connection) in \d+ ms$/)
    for (const answer of [health, pool]) expect(answer?.ms).toBeLessThan(2_500 + TOLERANCE_MS)
    expect(live).toMatchObject({ status: 200 })
    expect(live?.ms).toBeLessThan(TOLERANCE_MS)
  })

  test('200 polls at once, and again, with the cache off: in budget, and at most one connection of ours', async () => {
    service = await startService(throughProxy(), { health: { readiness: { cacheTtlMs: 0 } } })
    const { get } = service
    // a stall in the handshake is met by new connections only
    if (!name.includes('handshake')) expect((await get('/health/ready')).status).toBe(200)
    const opened = proxy.opened
    await begin()
    for (let wave = 0; wave < 4; wave++) {
      const answers = await Promise.all(Array.from({ length: 200 }, () => get('/health/ready')))
      expect(answers.every(({ status }) => status === 503)).toBe(true)
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BUDGET_MS + CROWD_TOLERANCE_MS)
      expect(proxy.open).toBeLessThanOrEqual(1)
    }
    // the warm connection is let go once, and one more is tried at a time
    expect(proxy.opened - opened).toBeLessThanOrEqual(2)
  })

  test('it is ready again within the cache window and 2 s of the return', async () => {
    service = await startService(url())
    const { get } = service
    await begin()
    expect((await get('/health/ready')).status).toBe(503)
    await end()
    const returned = performance.now()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 9_000, everyMs: 50 })
    expect(performance.now() - returned).toBeLessThan(7_000)
  })
})

test('fail direction ready keeps 200 and says timed_out on an instance that reached its database before', async () => {
  service = await startService(postgres.url, {
    health: { readiness: { timeoutFailDirection: 'ready', cacheTtlMs: 0 } },
  })
  expect((await service.get('/health/ready')).status).toBe(200)
  await postgres.pause()
  expect(await service.get('/health/ready')).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { database_default: 'timed_out' } },
  })
})

test('two databases, one stalled: the other still reads ready in the same answer', async () => {
  const healthy = await startPostgres()
  try {
    const { postgresCheck } = await import('@baldur/health-core/postgres')
    const pool = new pg.Pool({ connectionString: healthy.url })
    service = await startService(postgres.url, { more: { other: postgresCheck(pool) } })
    await service.get('/health/ready')
    await postgres.pause()
    await until(async () => (await (service as Service).get('/health/ready')).status === 503, {
      timeoutMs: 7_000,
    })
    expect((await service.get('/health/ready')).body.checks).toEqual({
      database_default: 'timed_out',
      database_other: 'ready',
    })
    await pool.end()
  } finally {
    await healthy.stop()
  }
})

test('a first connect that takes 1 s: ready by itself, though the budget is half a second', async () => {
  proxy.delay(250)
  service = await startService(throughProxy())
  const { get } = service
  const began = performance.now()
  expect((await get('/health/ready')).body.checks).toEqual({ database_default: 'timed_out' })
  await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 4_000 })
  expect(performance.now() - began).toBeGreaterThan(900)
})

test('callers that hang up cancel nothing', async () => {
  proxy.delay(100)
  service = await startService(throughProxy())
  const { port, get } = service
  await expect(rawRequest({ port, path: '/health/ready', timeoutMs: 50 })).rejects.toThrow()
  proxy.delay(0)
  await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 3_000 })
  expect(proxy.open).toBe(1)
})
