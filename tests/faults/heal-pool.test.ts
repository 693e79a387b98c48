import { recyclePool } from '@baldur/health-core/heal'
import { type FaultProxy, faultProxy, type PrivatePostgres, startPostgres, until } from 'health-testkit'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

let postgres: PrivatePostgres
let observer: pg.Client
let proxy: FaultProxy
let pool: pg.Pool
const signal = new AbortController().signal

beforeAll(async () => {
  postgres = await startPostgres()
  observer = new pg.Client(postgres.url)
  await observer.connect()
})
afterAll(async () => {
  await observer.end()
  await postgres.stop()
})
beforeEach(async () => {
  const { port, hostname } = new URL(postgres.url)
  proxy = await faultProxy(Number(port), hostname)
  const url = new URL(postgres.url)
  url.host = `127.0.0.1:${proxy.port}`
  pool = new pg.Pool({
    connectionString: url.href,
    max: 5,
    application_name: 'recycled',
    idleTimeoutMillis: 0,
  })
  pool.on('error', () => undefined)
})
afterEach(async () => {
  await Promise.race([pool.end(), proxy.close()])
  await proxy.close()
})

const pids = async (): Promise<readonly number[]> =>
  (
    await observer.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'recycled' ORDER BY pid",
    )
  ).rows.map(({ pid }) => pid)
const pidOf = async (client: pg.PoolClient): Promise<number> =>
  Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)

/** A pool with so many connections that lie idle. */
async function warm(idle: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: idle }, () => pool.connect()))
  for (const client of clients) client.release()
}

test('idle connections are closed, those in use stay and finish what they do', async () => {
  await warm(4)
  const busy = await pool.connect()
  const busyPid = await pidOf(busy)
  expect(pool.idleCount).toBe(3)
  const answer = busy.query('SELECT pg_sleep(0.5), 42 AS answer')
  await recyclePool(pool)(signal)
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0])
  await until(async () => (await pids()).length === 1)
  expect(await pids()).toEqual([busyPid])
  expect((await answer).rows[0].answer).toBe(42)
  busy.release()
  expect((await pool.query('SELECT 1 AS one')).rows[0].one).toBe(1)
})

test('idle connections that nobody reads any more are let go at once', async () => {
  await warm(3)
  proxy.blackhole()
  const startedAt = performance.now()
  await recyclePool(pool)(signal)
  expect(performance.now() - startedAt).toBeLessThan(200)
  expect(pool.totalCount).toBe(0)
  await until(() => proxy.open === 0)
  proxy.pass()
  expect((await pool.query('SELECT 1 AS one')).rows[0].one).toBe(1)
})

test('takes nothing while somebody waits, and makes no connection', async () => {
  const held = await Promise.all(Array.from({ length: 5 }, () => pool.connect()))
  const waiting = pool.connect()
  await recyclePool(pool)(signal)
  expect([pool.totalCount, pool.waitingCount]).toEqual([5, 1])
  for (const client of held) client.release()
  ;(await waiting).release()
  const opened = proxy.opened
  await recyclePool(pool)(signal)
  expect(pool.totalCount).toBe(0)
  await recyclePool(pool)(signal)
  expect(proxy.opened).toBe(opened)
})

test('requests that come in the middle of it are served', async () => {
  await warm(5)
  const recycled = recyclePool(pool)(signal)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => pool.query(`SELECT ${index} AS i`)),
  )
  await recycled
  expect(answers.map(({ rows }) => rows[0].i)).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(pool.totalCount).toBeLessThanOrEqual(5)
})

test('a pool that has ended has nothing to recycle', async () => {
  await warm(2)
  await pool.end()
  await recyclePool(pool)(signal)
  expect(pool.totalCount).toBe(0)
  pool = new pg.Pool({ connectionString: postgres.url })
})

test.each([[undefined], [null], ['postgres://u:s3cret@h/d'], [{}]])('%j is no pool', (given) => {
  let told = ''
  try {
    recyclePool(given as never)
  } catch (error) {
    told = String(error)
  }
  expect(told).toContain('recyclePool(pool): expected a pg.Pool')
  expect(told).not.toContain('s3cret')
})
