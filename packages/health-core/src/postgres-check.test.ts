import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import { postgresCheck } from './postgres.ts'

const pool = new pg.Pool({ max: 3 })

describe('postgresCheck', () => {
  test.each([
    ['a pg.Client, whose connection it would take over', new pg.Client(), 'a Client'],
    ['an array', [], 'an array'],
    ['an empty string', '', 'a string that is none'],
    ['a DSN of another database', 'mysql://joe:hunter2@db/x', 'a string that is none'],
    ['a wrapper that shows no options', { connect: () => undefined, totalCount: 1 }, 'a Object'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 5432, 'a number'],
    ['a URL that pg cannot read', 'postgres://joe:hunter2@db:port/x', 'settings that it cannot'],
  ])('refuses %s, and shows nothing of it', (_what, source, got) => {
    const attempt = (): unknown => postgresCheck(source as never)
    expect(attempt).toThrow(got)
    expect(attempt).toThrow(/^a setting is wrong:\n {2}postgresCheck\(source\): expected /)
    expect(attempt).not.toThrow(/hunter2|joe/)
  })

  test.each<[odd: unknown, message: RegExp]>([
    [null, /postgresCheck\(…, options\): expected an object, got null/],
    [{ via: 5n }, /postgresCheck\.via: expected 'own' or 'pool', got a bigint/],
    [{ requireWritable: 'no' }, /requireWritable: expected true or false, got a string/],
    [{ falll: 3 }, /postgresCheck\.falll: expected one of .*fall.*, got an unknown option/],
  ])('refuses odd options (case %#)', (options, message) => {
    expect(() => postgresCheck(pool, options as never)).toThrow(message)
  })

  test("refuses to borrow from settings with via: 'pool'", () => {
    expect(() => postgresCheck({ host: 'x' }, { via: 'pool' })).toThrow(/a pg\.Pool to borrow from/)
  })

  test.each([
    'postgres://joe@db/x',
    'postgresql://joe@db/x',
    'postgres://u:p@/d?host=/run',
    '/run/postgresql orders',
    'socket:/run/postgresql?db=orders',
  ])('takes the connection string %s', (source) => {
    expect(postgresCheck(source)).toMatchObject({ name: 'postgresql', vendor: 'postgresql' })
  })

  test('does not dial when it is made, also where the application brings its own stream', () => {
    let dialled = 0
    const stream = (): never => {
      dialled += 1
      throw new Error('dialled')
    }
    postgresCheck(new pg.Pool({ stream } as never))
    expect(dialled).toBe(0)
  })

  test('carries its policy, and the gauges of a pool', () => {
    const check = postgresCheck(pool, { name: 'orders', fall: 3, critical: false })
    expect(check).toMatchObject({ name: 'orders', fall: 3, critical: false })
    expect(check.stats?.()).toEqual({ total: 0, idle: 0, waiting: 0, max: 3 })
  })

  test('a DSN that pg cannot read stops the start and is not shown', () => {
    const attempt = (): unknown =>
      createHealth({ env: { BALDUR_SQL_DSN: 'postgres://joe:hunter2@db:port/x' } })
    expect(attempt).toThrow(/BALDUR_SQL_DSN: expected settings that pg can read/)
    expect(attempt).not.toThrow(/hunter2/)
  })

  test('options that are no plain object are refused, not taken for none', () => {
    const databases = new Map([['default', postgresCheck(pool)]])
    expect(() => createHealth({ env: {}, databases: databases as never })).toThrow(
      /databases: expected an object of checks/,
    )
    for (const odd of [new Map(), new Date(), []]) {
      expect(() => createHealth(odd as never)).toThrow(/options: expected an object/)
    }
  })
})
