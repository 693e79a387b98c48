import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'

const hostile = (key: string): object =>
  Object.defineProperty({}, key, {
    get: () => {
      throw Object.assign(new Error('read me not'), { code: 'ECONNRESET' })
    },
  })

describe('only documented results count as usable', () => {
  const ROWS: readonly (readonly [title: string, result: unknown, kind: string, code?: string])[] = [
    ['nothing', undefined, 'usable'],
    ['true', true, 'usable'],
    ['{ usable: true }', { usable: true }, 'usable'],
    ['{ usable: true } with more', { usable: true, code: 'TIMEOUT', latencyMs: 3 }, 'usable'],
    ['false', false, 'unusable', 'NOT_USABLE'],
    ['{ usable: false }', { usable: false }, 'unusable', 'NOT_USABLE'],
    ['a known code', { usable: false, code: 'READ_ONLY' }, 'unusable', 'READ_ONLY'],
    ['a SQLSTATE', { usable: false, code: '57P03' }, 'unusable', '57P03'],
    ['a code of a known class', { usable: false, code: '08006' }, 'unusable', '08006'],
    ['an unknown code', { usable: false, code: 'hunter2' }, 'unusable', 'ERROR'],
    ['a code that every object has', { usable: false, code: 'constructor' }, 'unusable', 'ERROR'],
    ['an empty code', { usable: false, code: '' }, 'unusable', 'ERROR'],
    ['a code that is no string', { usable: false, code: 42 }, 'unusable', 'NOT_USABLE'],
    ['null', null, 'erred', 'INVALID_RESULT'],
    ['0', 0, 'erred', 'INVALID_RESULT'],
    ['1', 1, 'erred', 'INVALID_RESULT'],
    ['NaN', Number.NaN, 'erred', 'INVALID_RESULT'],
    ['a bigint', 1n, 'erred', 'INVALID_RESULT'],
    ['an empty string', '', 'erred', 'INVALID_RESULT'],
    ['"ok"', 'ok', 'erred', 'INVALID_RESULT'],
    ['"true"', 'true', 'erred', 'INVALID_RESULT'],
    ['a symbol', Symbol('up'), 'erred', 'INVALID_RESULT'],
    ['a function', () => true, 'erred', 'INVALID_RESULT'],
    ['an empty object', {}, 'erred', 'INVALID_RESULT'],
    ['an object without a prototype', Object.create(null), 'erred', 'INVALID_RESULT'],
    ['an array', [true], 'erred', 'INVALID_RESULT'],
    ['rows', [{ '?column?': 1 }], 'erred', 'INVALID_RESULT'],
    ['{ status: "down" }', { status: 'down' }, 'erred', 'INVALID_RESULT'],
    ['{ status: "up" }', { status: 'up' }, 'erred', 'INVALID_RESULT'],
    ['{ usabel: true }', { usabel: true }, 'erred', 'INVALID_RESULT'],
    ['{ usable: undefined }', { usable: undefined }, 'erred', 'INVALID_RESULT'],
    ['{ usable: 1 }', { usable: 1 }, 'erred', 'INVALID_RESULT'],
    ['{ usable: "false" }', { usable: 'false' }, 'erred', 'INVALID_RESULT'],
    ['an error that was returned', new Error('boom'), 'erred', 'INVALID_RESULT'],
    ['a date', new Date(0), 'erred', 'INVALID_RESULT'],
    ['an object whose usable throws', hostile('usable'), 'erred', 'ECONNRESET'],
    ['an object whose code throws', Object.assign(hostile('code'), { usable: false }), 'erred', 'ECONNRESET'],
  ]

  it('has 37 rows', () => expect(ROWS).toHaveLength(37))

  it.each(ROWS)('%s', (_title, result, kind, code) => {
    const outcome = classify(result)
    expect(outcome.kind).toBe(kind)
    expect(outcome.kind === 'usable' ? undefined : outcome.problem.code).toBe(code)
  })

  it('never holds what the check returned', () => {
    const outcome = classify({ usable: false, code: 'postgres://u:hunter2@h', message: 'hunter2' })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
  })

  it('does not throw on a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(classify(proxy).kind).toBe('erred')
  })
})
