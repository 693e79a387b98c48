import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CODES, HTTP_STATUSES, SQLSTATES } from '../vocabulary/codes.ts'
import type { Problem } from '../vocabulary/outcome.ts'
import { errorReason, logMessage, problem, problemOf, publicMessage, timeoutProblem } from './problem.ts'
import { renderPool } from './render.ts'

const error = (message: string, more: object = {}): Error => Object.assign(new Error(message), more)

describe('codes', () => {
  const tables: readonly (readonly [code: string, text: string])[] = [
    ...Object.entries(CODES),
    ...Object.entries(SQLSTATES),
    ...Object.entries(HTTP_STATUSES),
  ]

  it('are 65, each in one table only', () => {
    expect(tables).toHaveLength(65)
    expect(new Set(tables.map(([code]) => code)).size).toBe(tables.length)
  })

  it.each(tables)('%s: %s', (code, text) => {
    expect(publicMessage(problemOf(error('anything', { code })))).toBe(`${code}: ${text}`)
  })

  const ROWS: readonly (readonly [code: string, shown: string])[] = [
    ['28P01', '28P01: authentication failed'],
    ['28999', '28999: authentication failed'],
    ['08006', '08006: connection failed'],
    ['25001', '25001: transaction state does not allow it'],
    ['25006', '25006: server is read-only'],
    ['3D001', '3D001: database does not exist'],
    ['42P01', '42P01: statement refused'],
    ['53100', '53100: server is out of resources'],
    ['53300', '53300: too many connections'],
    ['54000', '54000: limit of the server exceeded'],
    ['55P03', '55P03: server is in another state'],
    ['57P05', '57P05: stopped by the server'],
    ['58030', '58030: system error of the server'],
    ['XX000', 'XX000: internal error of the server'],
    ['HTTP_100', 'HTTP_100: not the status that is wanted'],
    ['HTTP_206', 'HTTP_206: not the status that is wanted'],
    ['HTTP_301', 'HTTP_301: redirected, which is not followed'],
    ['HTTP_418', 'HTTP_418: request refused'],
    ['HTTP_503', 'HTTP_503: service unavailable'],
    ['HTTP_599', 'HTTP_599: server failed'],
    ['HTTP_600', 'ERROR: check failed'],
    ['HTTP_5', 'ERROR: check failed'],
    ['HTTP_5xx', 'ERROR: check failed'],
    ['HTTP_5031', 'ERROR: check failed'],
    ['LOADING', 'LOADING: server is loading its data'],
    ['ER_CON_COUNT_ERROR', 'ER_CON_COUNT_ERROR: too many connections'],
    // no such class, or no SQLSTATE at all
    ['99999', 'ERROR: check failed'],
    ['0800', 'ERROR: check failed'],
    ['080061', 'ERROR: check failed'],
    ['08a06', 'ERROR: check failed'],
    ['08006\n', 'ERROR: check failed'],
    ['', 'ERROR: check failed'],
    ['econnrefused', 'ERROR: check failed'],
    ['ER_PARSE_ERROR', 'ERROR: check failed'],
    ['constructor', 'ERROR: check failed'],
    ['__proto__', 'ERROR: check failed'],
    ['toString', 'ERROR: check failed'],
  ]

  it('has 37 rows', () => expect(ROWS).toHaveLength(37))

  it.each(ROWS)('%j reads %s', (code, shown) => {
    expect(publicMessage(problem(code))).toBe(shown)
    expect(publicMessage(problemOf(error('x', { code })))).toBe(shown)
  })

  it('a timeout names the awaited step and its bound', () => {
    expect(publicMessage(timeoutProblem(2_000))).toBe('TIMEOUT: no answer in 2000 ms')
    expect(publicMessage(timeoutProblem(5_000, 'connection'))).toBe('TIMEOUT: no connection in 5000 ms')
  })

  it('a detail is for the log only', () => {
    const p = problem('ECONNRESET', 'read ECONNRESET')
    expect(publicMessage(p)).toBe('ECONNRESET: connection reset')
    expect(logMessage(p)).toBe('ECONNRESET: connection reset (read ECONNRESET)')
    expect(logMessage(problem('ECONNRESET'))).toBe('ECONNRESET: connection reset')
  })
})

const cyclic = error('round and round')
Object.assign(cyclic, { cause: error('and round', { cause: cyclic, errors: [cyclic, cyclic, cyclic] }) })

const hostile = (key: string): object =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error('read me not')
    },
  })
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
let deepest: Error = error('at the bottom', { code: 'ECONNREFUSED' })
for (let i = 0; i < 10_000; i++) deepest = error('wrapped', { cause: deepest })

describe('what is said of something that failed, and is no check', () => {
  it.each([
    [error('no model'), 'no model'],
    [error('two\nlines'), 'two lines'],
    [error('x', { code: 'ECONNREFUSED' }), 'ECONNREFUSED: connection refused (x)'],
    [error('postgres://joe:hunter2@db'), 'postgres://***@db'],
    ['words', 'threw string: words'],
    [{}, 'it did not say why'],
  ])('%s: %s', (thrown, said) => expect(errorReason(thrown)).toBe(said))
})

describe('whatever is thrown', () => {
  const ROWS: readonly (readonly [
    title: string,
    thrown: unknown,
    code: string,
    detail: string | undefined,
  ])[] = [
    ['an error', error('boom'), 'ERROR', 'boom'],
    ['an error with a code', error('boom', { code: 'ECONNRESET' }), 'ECONNRESET', 'boom'],
    ['a code that is no string', error('boom', { code: 7 }), 'ERROR', 'boom'],
    ['a plain object', { code: 'EPIPE', message: 'gone' }, 'EPIPE', 'gone'],
    [
      'the cause has the code',
      error('query failed', { cause: error('x', { code: '57P01' }) }),
      '57P01',
      'query failed',
    ],
    [
      'an unknown code outside, a known one inside',
      error('x', { code: 'ERR_OURS', cause: error('y', { code: 'ETIMEDOUT' }) }),
      'ETIMEDOUT',
      'x',
    ],
    [
      'the outermost known code wins',
      error('x', { code: 'EPIPE', cause: error('y', { code: 'ETIMEDOUT' }) }),
      'EPIPE',
      'x',
    ],
    [
      'an AggregateError as node:net throws it (localhost, both families refused)',
      new AggregateError([
        error('connect ECONNREFUSED ::1:5432', { code: 'ECONNREFUSED' }),
        error('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
      ]),
      'ECONNREFUSED',
      'connect ECONNREFUSED ::1:5432',
    ],
    ['an AggregateError of nothing', new AggregateError([]), 'ERROR', undefined],
    [
      'an AggregateError in a cause',
      error('', { cause: new AggregateError([error('in', { code: 'EHOSTUNREACH' })], 'out') }),
      'EHOSTUNREACH',
      'out',
    ],
    ['errors that are no array', error('x', { errors: { length: 1 } }), 'ERROR', 'x'],
    ['an empty message', error(''), 'ERROR', undefined],
    ['a message that is no string', { message: { password: 'hunter2' } }, 'ERROR', undefined],
    ['a string', 'boom', 'ERROR', 'threw string: boom'],
    ['a string that is a code', 'ECONNREFUSED', 'ERROR', 'threw string: ECONNREFUSED'],
    ['undefined', undefined, 'ERROR', 'threw undefined: undefined'],
    ['null', null, 'ERROR', 'threw object: null'],
    ['a number', 42, 'ERROR', 'threw number: 42'],
    ['a symbol', Symbol('s'), 'ERROR', 'threw symbol: Symbol(s)'],
    ['an empty object', {}, 'ERROR', undefined],
    ['an object without a prototype', Object.create(null), 'ERROR', undefined],
    ['a cause that is its own cause', cyclic, 'ERROR', 'round and round'],
    ['ten thousand causes', deepest, 'ERROR', 'wrapped'],
    ['a code that cannot be read', hostile('code'), 'ERROR', undefined],
    ['a message that cannot be read', hostile('message'), 'ERROR', undefined],
    ['a cause that cannot be read', hostile('cause'), 'ERROR', undefined],
    ['errors that cannot be read', hostile('errors'), 'ERROR', undefined],
    ['a revoked proxy', revoked(), 'ERROR', undefined],
    ['a revoked proxy as the cause', error('x', { cause: revoked() }), 'ERROR', undefined],
    [
      'a function whose toString throws',
      Object.assign(() => undefined, { toString: () => hostile('x').toString.call(revoked()) }),
      'ERROR',
      undefined,
    ],
  ]

  it('has 30 rows', () => expect(ROWS).toHaveLength(30))

  it.each(ROWS)('%s', (_title, thrown, code, detail) => {
    const p = problemOf(thrown)
    expect(p.code).toBe(code)
    expect(p.detail).toBe(detail)
  })

  it('never throws, and what anyone may read comes from the tables alone', () => {
    const texts = new Set<string>([...Object.values(CODES), ...Object.values(SQLSTATES)])
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (thrown) => {
        const p = problemOf(thrown)
        expect(texts.has(p.text)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('nothing secret (C09)', () => {
  const DSN = 'postgres://app_user:hunter2-S3cret@db.internal:5432/orders?sslpassword=key-pw-77'
  const TOKEN = 'Bearer tok-abcdef0123456789'
  const said = `cannot connect to ${DSN} with ${TOKEN}`
  const HIDDEN_FROM_ALL = ['hunter2', 'S3cret', 'key-pw-77', 'tok-abcdef', 'app_user']
  const HIDDEN_FROM_ANYONE = [...HIDDEN_FROM_ALL, 'db.internal', 'orders', '5432', 'postgres:']

  const carriers: readonly (readonly [title: string, thrown: unknown])[] = [
    ['the message', error(said)],
    ['the code', error('x', { code: said })],
    ['a code that begins like a SQLSTATE', error('x', { code: `28P01 ${said}` })],
    ['the name', error('x', { name: said })],
    ['the stack', error('x', { stack: said })],
    ['the cause', error('x', { cause: error(said) })],
    ['a cause that is a string', error('x', { cause: said })],
    ['the cause’s code', error('', { cause: error('', { code: said }) })],
    ['fields of the driver', error('x', { detail: said, hint: said, address: said, config: { dsn: said } })],
    ['an AggregateError', new AggregateError([error(said), said], said)],
    ['an empty AggregateError message', new AggregateError([error(said)])],
    ['a string that is thrown', said],
    ['an array that is thrown', [said]],
    ['a plain object', { message: said, code: said, cause: { message: said } }],
    [
      'all of it at once',
      error(said, {
        code: said,
        name: said,
        stack: said,
        cause: error(said),
        errors: [error(said)],
        detail: said,
      }),
    ],
  ]

  it('has 15 rows', () => expect(carriers).toHaveLength(15))

  it.each(carriers)(
    'in %s reaches an anonymous caller, and no credentials reach the log',
    (_title, thrown) => {
      const p: Problem = problemOf(thrown)
      const pool = (expose: 'code' | 'message'): string =>
        renderPool(
          {
            status: 'error',
            alias: 'default',
            vendor: 'postgresql',
            isUsable: false,
            gauges: {},
            outcome: { kind: 'erred', problem: p },
          },
          expose,
        ).body
      for (const hidden of HIDDEN_FROM_ANYONE) {
        expect(publicMessage(p)).not.toContain(hidden)
        expect(pool('code').replace('"vendor":"postgresql"', '')).not.toContain(hidden)
      }
      for (const hidden of HIDDEN_FROM_ALL) {
        expect(logMessage(p)).not.toContain(hidden)
        expect(pool('message')).not.toContain(hidden)
      }
    },
  )

  it('a message that is kept still says where', () => {
    expect(logMessage(problemOf(error(said)))).toContain('***@db.internal:5432/orders')
  })
})
