// @module-tag mariadbd
import { mysqlCheck } from '@baldur/health-core/mysql'
import {
  type FaultProxy,
  faultProxy,
  type PrivateServer,
  selfSigned,
  startMariadb,
  until,
} from 'health-testkit'
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type MysqlService, startMysqlService } from './mysql-service.ts'
import { serveHealth, TOLERANCE_MS } from './service.ts'

let mariadb: PrivateServer
let observer: Connection
let service: MysqlService | undefined
let proxy: FaultProxy | undefined

beforeAll(async () => {
  mariadb = await startMariadb({ settings: { max_connections: '10' } })
  observer = await mysql.createConnection(mariadb.url)
  await observer.query("CREATE USER joe@'127.0.0.1' IDENTIFIED BY 'right'")
})
afterEach(async () => {
  await service?.close()
  await proxy?.close()
  service = undefined
  proxy = undefined
})
afterAll(async () => {
  observer.destroy()
  await mariadb.stop()
})

const through = ({ port }: FaultProxy): string => mariadb.url.replace(String(mariadb.port), String(port))
const as = (user: string): string => mariadb.url.replace('root@', `${user}@`)
const ids = async (): Promise<readonly number[]> => {
  const [rows] = await observer.query<RowDataPacket[]>('SHOW PROCESSLIST')
  const [[mine]] = await observer.query<RowDataPacket[]>('SELECT CONNECTION_ID() AS id')
  return rows.map(({ Id }) => Id as number).filter((id) => id !== mine?.id)
}

describe('a connection of its own', () => {
  test.each(['promises', 'callbacks'] as const)(
    '100 runs use one connection, made once (pool with %s)',
    async (kind) => {
      service = await startMysqlService(mariadb.url, { kind })
      const seen = new Set<number>()
      for (let run = 0; run < 100; run++) {
        expect((await service.get('/health/ready')).status).toBe(200)
        for (const id of await ids()) seen.add(id)
      }
      expect(seen.size).toBe(1)
      expect((await service.get('/health/pool')).body.pool_info).toMatchObject({
        total: 0,
        max: 2,
        vendor: 'mysql',
      })
      await service.health.close()
      await until(async () => (await ids()).length === 0, { message: 'our connection to be gone' })
    },
  )

  test('a pool that is busy keeps readiness 200 and undelayed', async () => {
    service = await startMysqlService(mariadb.url)
    const { pool, get } = service
    await get('/health/ready')
    const busy = Promise.all([1, 2, 3].map(() => pool.query('SELECT SLEEP(1)')))
    const ready = await get('/health/ready')
    expect(ready.status).toBe(200)
    expect(ready.ms).toBeLessThan(TOLERANCE_MS)
    expect((await get('/health/pool')).body.pool_info).toMatchObject({
      total: 2,
      idle: 0,
      waiting: 1,
      max: 2,
    })
    await busy
  })

  test('closed while idle, is made again in the same run, so that one stale socket is no outage', async () => {
    proxy = await faultProxy(mariadb.port)
    service = await startMysqlService(through(proxy))
    expect((await service.get('/health/ready')).status).toBe(200)
    proxy.reset()
    proxy.pass()
    expect((await service.get('/health/ready')).status).toBe(200)
    expect(proxy.opened).toBe(2)
  })

  test('cut in the middle of the greeting, reads not_ready with a code', async () => {
    proxy = await faultProxy(mariadb.port)
    proxy.cutAfter(20)
    service = await startMysqlService(through(proxy))
    expect((await service.get('/health/ready')).body.checks).toEqual({ database_default: 'not_ready' })
    expect((await service.get('/health/pool')).body.error).toBe('ECONNRESET: connection reset')
  })

  test('ended by the server while it waits (wait_timeout), costs no error', async () => {
    service = await startMysqlService(mariadb.url)
    expect((await service.get('/health/ready')).status).toBe(200)
    for (const id of await ids()) await observer.query(`KILL CONNECTION ${id}`)
    expect((await service.get('/health/ready')).status).toBe(200)
  })
})

describe('what the server answers instead', () => {
  const errorOf = async (url: string): Promise<string | undefined> => {
    service = await startMysqlService(url)
    const { status, body, text } = await service.get('/health/pool')
    expect(status).toBe(503)
    expect(text).not.toMatch(/joe|hunter2|127\.0\.0\.1/)
    expect((await service.get('/health/ready')).body.checks).toEqual({ database_default: 'not_ready' })
    expect(service.lines.join()).not.toContain('hunter2')
    return body.error
  }

  test('a wrong password', async () => {
    expect(await errorOf(as('joe:hunter2'))).toBe('ER_ACCESS_DENIED_ERROR: authentication failed')
  })

  test('a database that is not there, and one that the user may not see', async () => {
    expect(await errorOf(`${mariadb.url}_that_is_not_there`)).toBe('ER_BAD_DB_ERROR: database does not exist')
    await service?.close()
    expect(await errorOf(as('joe:right').replace(/test$/, 'mysql'))).toBe(
      'ER_DBACCESS_DENIED_ERROR: no access to the database',
    )
  })

  test('a server that takes no more connections', async () => {
    await until(async () => (await ids()).length === 0)
    const held: Connection[] = []
    try {
      // one more than the limit is kept for an administrator, and the observer has one
      while (held.length < 10) held.push(await mysql.createConnection(mariadb.url))
    } catch (error) {
      expect((error as { code?: string }).code).toBe('ER_CON_COUNT_ERROR')
    }
    expect(await errorOf(as('joe:right').replace(/\/test$/, ''))).toBe(
      'ER_CON_COUNT_ERROR: too many connections',
    )
    for (const one of held) one.destroy()
  })

  test('a read-only server, where it must be writable', async () => {
    service = await startMysqlService(mariadb.url, { check: { requireWritable: true } })
    const { get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await observer.query('SET GLOBAL read_only = ON')
    try {
      expect((await get('/health/ready')).body.checks).toEqual({ database_default: 'not_ready' })
      await until(async () => (await get('/health/pool')).body.error === 'READ_ONLY: server is read-only')
    } finally {
      await observer.query('SET GLOBAL read_only = OFF')
    }
    await until(async () => (await get('/health/ready')).status === 200)
  })
})

test('settings of the pool that shape its rows do not blind the check', async () => {
  const pool = { rowsAsArray: false, nestTables: '_', typeCast: () => null, namedPlaceholders: true } as const
  for (const via of ['own', 'pool'] as const) {
    service = await startMysqlService(mariadb.url, { pool, check: { via, requireWritable: true } })
    expect([via, (await service.get('/health/ready')).status]).toEqual([via, 200])
    await service.close()
    service = undefined
  }
})

test('a password that is rotated in the pool’s settings is used for the next connection', async () => {
  service = await startMysqlService(as('joe:old').replace(/\/test$/, ''))
  const { get, pool } = service
  expect((await get('/health/pool')).body.error).toBe('ER_ACCESS_DENIED_ERROR: authentication failed')
  const { connectionConfig } = pool.pool.config as unknown as { connectionConfig: { password: string } }
  connectionConfig.password = 'right'
  await until(async () => (await get('/health/ready')).status === 200)
})

describe('a MariaDB that goes', () => {
  test('refuses: not_ready at once, no host or port told, liveness 200; ready again by itself', async () => {
    const other = await startMariadb()
    service = await startMysqlService(other.url)
    const { get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await other.crash()
    const ready = await get('/health/ready')
    expect([ready.status, ready.body.checks]).toEqual([503, { database_default: 'not_ready' }])
    expect(ready.ms).toBeLessThan(TOLERANCE_MS)
    const pool = await get('/health/pool')
    expect(pool.body.error).toBe('ECONNREFUSED: connection refused')
    expect(pool.text).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${other.port}`))
    expect((await get('/health/live')).status).toBe(200)
    await other.restart()
    expect((await get('/health/ready')).status).toBe(200)
    await other.stop()
  })

  test.each(['own', 'pool'] as const)(
    'restarted in the middle of a run (%s): that one fails, the next does not, the process lives',
    async (via) => {
      const other = await startMariadb()
      service = await startMysqlService(other.url, { check: { via } })
      const { get } = service
      expect((await get('/health/ready')).status).toBe(200)
      await other.pause()
      const asked = get('/health/ready')
      await other.crash()
      expect((await asked).status).toBe(503)
      await other.restart()
      await until(async () => (await get('/health/ready')).status === 200)
      await other.stop()
    },
  )
})

test('TLS: checked against its authority, and refused without', async () => {
  const { key, cert } = await selfSigned()
  const secure = await startMariadb({ tls: { key, cert } })
  const [at] = [{ host: 'localhost', port: secure.port, user: 'root' }]
  const good = await serveHealth({ databases: { default: mysqlCheck({ ...at, ssl: { ca: cert } }) } })
  expect((await good.get('/health/ready')).status).toBe(200)
  await good.close()
  const bad = await serveHealth({ databases: { default: mysqlCheck({ ...at, ssl: {} }) } })
  expect((await bad.get('/health/pool')).body.error).toBe('HANDSHAKE_SSL_ERROR: TLS handshake failed')
  await bad.close()
  await secure.stop()
})
