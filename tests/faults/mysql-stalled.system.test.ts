// @module-tag mariadbd
import { connect, type Socket } from 'node:net'
import { mysqlCheck } from '@baldur/health-core/mysql'
import { type FaultProxy, faultProxy, type PrivateServer, startMariadb, until } from 'health-testkit'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type MysqlService, startMysqlService } from './mysql-service.ts'
import { CROWD_TOLERANCE_MS, serveHealth, TOLERANCE_MS } from './service.ts'

const BUDGET_MS = 500

let mariadb: PrivateServer
let service: MysqlService | undefined
let proxy: FaultProxy

beforeAll(async () => {
  mariadb = await startMariadb()
  proxy = await faultProxy(mariadb.port)
})
afterEach(async () => {
  await mariadb.resume()
  proxy.pass()
  await service?.close()
  service = undefined
})
afterAll(async () => {
  await proxy.close()
  await mariadb.stop()
})

const throughProxy = (): string => mariadb.url.replace(String(mariadb.port), String(proxy.port))

/** The server's own count of connections that are not the asker's. */
const connections = async (): Promise<number> => {
  const observer = await mysql.createConnection(mariadb.url)
  const [rows] = await observer.query<RowDataPacket[]>('SHOW PROCESSLIST')
  observer.destroy()
  return rows.length - 1
}

/** Each way that a database accepts and never answers; `begin` is called with a warm or a cold service. */
const STALLS: readonly [name: string, begin: () => void | Promise<void>, end: () => void | Promise<void>][] =
  [
    ['its process stopped', () => mariadb.pause(), () => mariadb.resume()],
    ['a proxy that accepts and never answers', () => proxy.blackhole(), () => proxy.pass()],
    ['a stall in the middle of the greeting', () => proxy.stallAfter(9), () => proxy.pass()],
  ]

describe.each(STALLS)('a stalled MariaDB (%s)', (name, begin, end) => {
  test('from the start: every answer within its budget, timed_out, and never ready, whatever the fail direction', async () => {
    service = await startMysqlService(throughProxy(), {
      health: { readiness: { cacheTtlMs: 0, timeoutFailDirection: 'ready' } },
    })
    await begin()
    const ready = await service.get('/health/ready')
    expect(ready).toMatchObject({ status: 503, body: { checks: { database_default: 'timed_out' } } })
    expect(ready.ms).toBeLessThan(BUDGET_MS + TOLERANCE_MS)
    const pool = await service.get('/health/pool')
    expect(pool.body.error).toMatch(/^TIMEOUT: no (answer|connection) in \d+ ms$/)
    expect(pool.ms).toBeLessThan(2_500 + TOLERANCE_MS)
  })

  test('200 polls at once, and again: in budget, and at most one connection of ours; ready again by itself', async () => {
    service = await startMysqlService(throughProxy(), { check: { timeoutMs: 300 } })
    const { get } = service
    // a stall in the greeting is met by new connections only
    if (!name.includes('greeting')) expect((await get('/health/ready')).status).toBe(200)
    const opened = proxy.opened
    await begin()
    for (let wave = 0; wave < 4; wave++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get('/health/ready')))
      expect(answers.every(({ status }) => status === 503)).toBe(true)
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BUDGET_MS + CROWD_TOLERANCE_MS)
      expect(proxy.open).toBeLessThanOrEqual(1)
    }
    // the warm connection is let go once, and one more is tried at a time
    expect(proxy.opened - opened).toBeLessThanOrEqual(2)
    await end()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 9_000, everyMs: 50 })
  })
})

test('a stalled server that does not even close: what was given up holds no socket', async () => {
  const sockets: Socket[] = []
  const stream = (): Socket => {
    const socket = connect(mariadb.port, '127.0.0.1')
    sockets.push(socket)
    return socket
  }
  const check = mysqlCheck({ user: 'root', stream }, { timeoutMs: 100, connectTimeoutMs: 100 })
  const served = await serveHealth({ databases: { default: check }, readiness: { cacheTtlMs: 0 } })
  expect((await served.get('/health/ready')).status).toBe(200)
  await mariadb.pause()
  for (let run = 0; run < 5; run++) expect((await served.get('/health/ready')).status).toBe(503)
  expect(sockets).toHaveLength(5)
  await until(() => sockets.every(({ destroyed }) => destroyed))
  await served.close()
})

describe("via: 'pool'", () => {
  test('a stalled server: the borrowed connection is destroyed, not handed back, and the process lives', async () => {
    service = await startMysqlService(mariadb.url, { check: { via: 'pool', timeoutMs: 300 } })
    const { get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await mariadb.pause()
    expect((await get('/health/ready')).body.checks).toEqual({ database_default: 'timed_out' })
    const { pool_info } = (await get('/health/pool')).body
    expect(pool_info?.total).toBeLessThanOrEqual(1)
    await mariadb.resume()
    // a connection that the pool was making when the stall began is given up after its own 10 s at the latest
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 12_000, everyMs: 50 })
    await until(async () => (await connections()) === 1)
  })

  test('a full pool: one borrow waits at most, over 30 probes, and the pool tells who waits', async () => {
    service = await startMysqlService(mariadb.url, { check: { via: 'pool' } })
    const { pool, get } = service
    const busy = [1, 2].map(() => pool.query('SELECT SLEEP(4)'))
    const answers = await Promise.all(Array.from({ length: 30 }, () => get('/health/ready')))
    expect(answers.every(({ status }) => status === 503)).toBe(true)
    expect((await get('/health/pool')).body.pool_info).toMatchObject({
      total: 2,
      idle: 0,
      waiting: 1,
      max: 2,
    })
    await Promise.all(busy)
    await until(async () => (await get('/health/ready')).status === 200)
  })
})
