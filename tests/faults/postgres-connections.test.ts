import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PrivatePostgres, startPostgres, until } from 'health-testkit'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService, TOLERANCE_MS } from './service.ts'

let postgres: PrivatePostgres
let observer: pg.Client
let service: Service | undefined

beforeAll(async () => {
  postgres = await startPostgres({ settings: { max_connections: '12' } })
  observer = new pg.Client(postgres.url)
  await observer.connect()
  await observer.query('CREATE ROLE app LOGIN')
})
afterEach(async () => {
  await service?.close()
  service = undefined
})
afterAll(async () => {
  await observer.end()
  await postgres.stop()
})

/** The server's own count of connections that the check made. */
const ours = async (): Promise<readonly { pid: number }[]> =>
  (await observer.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'baldur-health'")).rows

describe('a connection of its own', () => {
  test('100 runs use one connection, made once', async () => {
    service = await startService(postgres.url, { health: { readiness: { cacheTtlMs: 0 } } })
    const pids = new Set<number>()
    for (let run = 0; run < 100; run++) {
      expect((await service.get('/health/ready')).status).toBe(200)
      for (const { pid } of await ours()) pids.add(pid)
    }
    expect(pids.size).toBe(1)
    expect(service.pool.totalCount).toBe(0)
  })

  test('is closed on the server when the health is closed', async () => {
    service = await startService(postgres.url)
    await service.get('/health/ready')
    expect(await ours()).toHaveLength(1)
    await service.health.close()
    await until(async () => (await ours()).length === 0, { message: 'our connection to be gone' })
  })

  test('a pool that is busy for 10 s keeps readiness 200 and undelayed; pool_info shows who waits', async () => {
    service = await startService(postgres.url, { health: { readiness: { cacheTtlMs: 0 } } })
    const { pool, get } = service
    const busy = Promise.all([
      pool.query('SELECT pg_sleep(10)'),
      pool.query('SELECT pg_sleep(10)'),
      pool.query('SELECT 1'),
    ])
    // one second of room: the gauges may move before the queries' promises do
    const end = performance.now() + 9_000
    for (let poll = 0; performance.now() < end; poll++) {
      const ready = await get('/health/ready')
      expect(ready.status).toBe(200)
      expect(ready.ms).toBeLessThan(TOLERANCE_MS)
      if (poll % 20 !== 0) continue
      const { status, body, ms } = await get('/health/pool')
      expect(status).toBe(200)
      expect(ms).toBeLessThan(TOLERANCE_MS)
      expect(body.pool_info).toMatchObject({ total: 2, idle: 0, waiting: 1, max: 2, is_usable: true })
      await sleep(50)
    }
    await busy
  })

  test('a server that takes no more connections reads as that', async () => {
    const crowd = new pg.Pool({ connectionString: postgres.url, max: 20 })
    const held: pg.PoolClient[] = []
    try {
      for (;;) held.push(await crowd.connect())
    } catch (error) {
      expect((error as { code?: string }).code).toBe('53300')
    }
    service = await startService(postgres.url.replace('postgres@', 'app@'))
    expect((await service.get('/health/pool')).body.error).toBe('53300: too many connections')
    for (const client of held) client.release()
    await crowd.end()
  })
})

test('a password that is rotated in the pool’s settings is used for the next connection', async () => {
  await observer.query("CREATE ROLE bob LOGIN PASSWORD 'right'")
  const path = join(postgres.dir, 'pg_hba.conf')
  const trusting = await readFile(path, 'utf8')
  await writeFile(path, `host all bob 127.0.0.1/32 scram-sha-256\n${trusting}`)
  await observer.query('SELECT pg_reload_conf()')
  const { port } = postgres
  service = await startService(postgres.url, {
    // a connection string would win over these
    pool: {
      connectionString: undefined,
      host: '127.0.0.1',
      port,
      user: 'bob',
      password: 'old',
      database: 'postgres',
    },
    health: { readiness: { cacheTtlMs: 0 } },
  })
  const { get, pool } = service
  await until(async () => (await get('/health/pool')).body.error === '28P01: authentication failed', {
    timeoutMs: 5_000,
  })
  Object.assign(pool.options, { password: 'right' })
  await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 5_000 })
})

describe("via: 'pool'", () => {
  test('a full pool: one borrow waits at most, over 30 probes', async () => {
    service = await startService(postgres.url, {
      check: { via: 'pool' },
      health: { readiness: { cacheTtlMs: 0 } },
    })
    const { pool, get } = service
    const busy = [1, 2].map(() => pool.query('SELECT pg_sleep(3)'))
    const answers = await Promise.all(Array.from({ length: 30 }, () => get('/health/ready')))
    expect(answers.every(({ status }) => status === 503)).toBe(true)
    expect(pool.waitingCount).toBe(1)
    await Promise.all(busy)
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 5_000 })
    expect(await ours()).toHaveLength(0)
    expect(pool.totalCount).toBeLessThanOrEqual(2)
  })

  test('a stalled server: the borrowed connection is destroyed, not handed back, and the process lives', async () => {
    service = await startService(postgres.url, {
      check: { via: 'pool', timeoutMs: 300 },
      health: { readiness: { cacheTtlMs: 0 } },
    })
    const { pool, get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await postgres.pause()
    try {
      expect((await get('/health/ready')).body.checks).toEqual({ database_default: 'timed_out' })
      await until(() => pool.totalCount === 0, { message: 'the stalled connection to be gone from the pool' })
    } finally {
      await postgres.resume()
    }
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 5_000 })
  })
})

describe('requireWritable', () => {
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await observer.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await observer.query('SELECT pg_reload_conf()')
  }

  test('is not ready while the server is read-only, as after a fail-over, and is again when it can be written to', async () => {
    service = await startService(postgres.url, {
      check: { requireWritable: true },
      health: { readiness: { cacheTtlMs: 0 } },
    })
    const { get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await setReadOnly('on')
    try {
      await until(async () => (await get('/health/ready')).status === 503)
      expect((await get('/health/ready')).body.checks).toEqual({ database_default: 'not_ready' })
      await until(async () => (await get('/health/pool')).status === 503)
      expect((await get('/health/pool')).body).toMatchObject({
        status: 'degraded',
        error: 'READ_ONLY: server is read-only',
      })
    } finally {
      await observer.query('SET default_transaction_read_only = off')
      await setReadOnly('off')
    }
    await until(async () => (await get('/health/ready')).status === 200)
  })
})
