import { describe, expect, it } from 'vitest'
import { HealthConfigError } from '../vocabulary/config-error.ts'
import { createProblems, show } from './problems.ts'

describe('a value in an error', () => {
  it.each<[unknown, string]>([
    ['5s', '"5s" (string)'],
    ['', '"" (string)'],
    ['a\n"b', '"a \\"b" (string)'],
    [5, '5 (number)'],
    [Number.NaN, 'NaN (number)'],
    [5n, '5 (bigint)'],
    [true, 'true (boolean)'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['secret'], 'an array'],
    [{ password: 'secret' }, 'an object'],
    [() => 'secret', 'a function'],
    [Symbol('secret'), 'a symbol'],
    ['postgres://app:hunter2@db/x', '"postgres://***@db/x" (string)'],
  ])('%o reads %s', (value, shown) => expect(show(value)).toBe(shown))

  it('is short', () => expect(show('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(91))
})

describe('problems', () => {
  it('none throw nothing', () => expect(() => createProblems().throwIfAny()).not.toThrow())

  it('all come in one error, in their order, a line each', () => {
    const problems = createProblems()
    problems.add('readiness.budgetMs', '50 to 30000 milliseconds', '5s')
    problems.addText('BALDUR_SQL_DSN', 'a URL', 'something else')
    problems.addAll([{ path: 'checks', expected: 'an array', got: '1 (number)' }])
    const thrown = (() => {
      try {
        problems.throwIfAny()
      } catch (error) {
        return error as HealthConfigError
      }
      return undefined
    })()
    expect(thrown).toBeInstanceOf(HealthConfigError)
    expect(thrown?.name).toBe('HealthConfigError')
    expect(thrown?.code).toBe('BALDUR_CONFIG')
    expect(thrown?.problems.map(({ path }) => path)).toEqual([
      'readiness.budgetMs',
      'BALDUR_SQL_DSN',
      'checks',
    ])
    expect(thrown?.message).toBe(
      [
        '3 settings are wrong:',
        '  readiness.budgetMs: expected 50 to 30000 milliseconds, got "5s" (string)',
        '  BALDUR_SQL_DSN: expected a URL, got something else',
        '  checks: expected an array, got 1 (number)',
      ].join('\n'),
    )
  })

  it('one alone is spoken of as one', () => {
    expect(new HealthConfigError([{ path: 'a', expected: 'b', got: 'c' }]).message).toBe(
      'a setting is wrong:\n  a: expected b, got c',
    )
  })
})
