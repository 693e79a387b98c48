import { EventEmitter } from 'node:events'
import mysql from 'mysql2'
import promises from 'mysql2/promise'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createHealth } from './create-health.ts'
import { mysqlCheck } from './mysql.ts'

const pool = mysql.createPool({ host: '127.0.0.1', connectionLimit: 3 })
const promised = promises.createPool({ host: '127.0.0.1', connectionLimit: 3 })
afterAll(async () => {
  pool.end()
  await promised.end()
})

describe('mysqlCheck', () => {
  test.each([
    ['a pool of PostgreSQL', new pg.Pool(), 'a BoundPool'],
    ['something that emits', new EventEmitter(), 'a EventEmitter'],
    ['an array', [], 'an array'],
    ['an empty string', '', 'a string that is none'],
    ['a DSN of another database', 'postgres://joe:hunter2@db/x', 'a string that is none'],
    ['a connection', { connect: () => undefined, query: () => undefined }, 'a Object'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a URL that mysql2 cannot read', 'mysql://joe:hunter2@db:port/x', 'settings that it cannot'],
    [
      'settings that mysql2 cannot read',
      { host: 'db', password: 'hunter2', ssl: 'no such profile' },
      'settings that it cannot',
    ],
  ])('refuses %s, and shows nothing of it', (_what, source, got) => {
    const attempt = (): unknown => mysqlCheck(source as never)
    expect(attempt).toThrow(got)
    expect(attempt).toThrow(/^a setting is wrong:\n {2}mysqlCheck\(source\): expected /)
    expect(attempt).not.toThrow(/hunter2|joe/)
  })

  test('lists everything that is wrong in one error', () => {
    const odd = { via: 'pol', requireWritable: 'no', falll: 3, raise: 2 }
    expect(() => mysqlCheck(5 as never, odd as never)).toThrow(
      /^5 settings are wrong:\n.*\(source\).*\n.*falll: expected one of .*fall.*\n.*raise.*\n.*via: expected 'own' or 'pool', got a string\n.*requireWritable: expected true or false, got a string$/,
    )
    expect(() => mysqlCheck(pool, null as never)).toThrow(/expected an object, got null/)
  })

  test("refuses to borrow from settings with via: 'pool'", () => {
    expect(() => mysqlCheck({ host: 'x' }, { via: 'pool' })).toThrow(/a pool to borrow from/)
  })

  test('does not dial when it is made, nor change what it is given', () => {
    let dialled = 0
    const settings = Object.freeze({
      uri: 'mysql://joe:hunter2@db/x',
      stream: () => {
        dialled += 1
        throw new Error('dialled')
      },
    })
    mysqlCheck(settings)
    expect(dialled).toBe(0)
  })

  test.each([
    ['callbacks', pool],
    ['promises', promised],
  ])('carries its policy, and the gauges of a pool with %s', (_kind, source) => {
    const check = mysqlCheck(source, { name: 'orders', fall: 3, critical: false })
    expect(check).toMatchObject({ name: 'orders', vendor: 'mysql', fall: 3, critical: false })
    expect(check.stats?.()).toEqual({ total: 0, idle: 0, waiting: 0, max: 3 })
  })

  test('a DSN is checked with mysql2; one that it cannot read stops the start and is not shown', async () => {
    const health = createHealth({
      env: { BALDUR_SQL_DSN: 'mysql://joe:hunter2@127.0.0.1:1/x' },
      logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
    })
    expect(await health.pool()).toMatchObject({ status: 'error', vendor: 'mysql' })
    await health.close()
    const attempt = (): unknown => createHealth({ env: { BALDUR_SQL_DSN: 'mysql://joe:hunter2@db:port/x' } })
    expect(attempt).toThrow(/BALDUR_SQL_DSN: expected settings that mysql2 can read/)
    expect(attempt).not.toThrow(/hunter2/)
  })
})
