import { describe, expect, it } from 'vitest'
import type { Check } from '../vocabulary/check.ts'
import type { ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import { readEntries } from './entries.ts'
import type { CheckEntry } from './entry.ts'
import { createProblems } from './problems.ts'

const run = (): void => undefined
const check = (name: string, more: object = {}): Check => ({ name, run, ...more })

function read(
  databases: Readonly<Record<string, unknown>>,
  checks: readonly unknown[] = [],
): { readonly entries: readonly CheckEntry[]; readonly refused: readonly ConfigProblem[] } {
  const problems = createProblems()
  const entries = readEntries(databases, checks, problems)
  try {
    problems.throwIfAny()
    return { entries, refused: [] }
  } catch (error) {
    return { entries, refused: (error as HealthConfigError).problems }
  }
}

const pathsOf = (refused: readonly ConfigProblem[]): readonly string[] => refused.map(({ path }) => path)

describe('names', () => {
  it('databases come first, by their keys; the default one is `database` in the verdict', () => {
    const { entries, refused } = read({ replica: check('x'), default: check('y') }, [
      check('queue'),
      check('cache'),
    ])
    expect(refused).toEqual([])
    expect(
      entries.map(({ name, healthName, alias, isDefault }) => [name, healthName, alias, isDefault]),
    ).toEqual([
      ['database_replica', 'database_replica', 'replica', false],
      ['database_default', 'database', 'default', true],
      ['queue', 'queue', undefined, false],
      ['cache', 'cache', undefined, false],
    ])
    expect(entries[2]).not.toHaveProperty('alias')
  })

  it('an only database is the default one, whatever its key', () => {
    const { entries, refused } = read({ main: check('x') })
    expect(refused).toEqual([])
    expect(entries.map(({ name, healthName, isDefault }) => [name, healthName, isDefault])).toEqual([
      ['database_main', 'database', true],
    ])
  })

  it('several databases without a default one are refused, with their keys', () => {
    const { refused } = read({ main: check('x'), replica: check('y') })
    expect(refused).toEqual([
      {
        path: 'databases',
        expected: 'one of several to have the key "default"',
        got: 'the keys main, replica',
      },
    ])
  })

  it('without any there are none', () => expect(read({})).toEqual({ entries: [], refused: [] }))

  it('the check itself is kept as it is', () => {
    const mine = Object.freeze(check('queue', { vendor: 'rabbitmq' }))
    expect(read({}, [mine]).entries[0]?.check).toBe(mine)
  })

  it('methods of a class count', () => {
    class Queue {
      readonly name = 'queue'
      run(): boolean {
        return true
      }
    }
    expect(read({}, [new Queue()])).toMatchObject({ entries: [{ name: 'queue' }], refused: [] })
  })

  const NAMES: readonly [name: unknown, isFine: boolean][] = [
    ['a', true],
    ['orders-db_2.eu:1', true],
    ['x'.repeat(64), true],
    ['__proto__', true],
    ['x'.repeat(65), false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['größe', false],
    ['a/b', false],
    [undefined, false],
    [null, false],
    [7, false],
    [{ toString: () => 'a' }, false],
  ]

  it.each(NAMES)('a check called %j: accepted %s', (name, isFine) => {
    const { entries, refused } = read({}, [{ name, run }])
    expect(pathsOf(refused)).toEqual(isFine ? [] : ['checks[0].name'])
    expect(entries).toHaveLength(isFine ? 1 : 0)
  })

  it.each([
    ['x'.repeat(55), true],
    ['x'.repeat(56), false],
    ['', false],
    ['a b', false],
    ['__proto__', true],
  ])('a database with the key %j: accepted %s', (alias, isFine) => {
    const { refused } = read(Object.fromEntries([[alias, check('x')]]))
    expect(refused).toHaveLength(isFine ? 0 : 1)
  })
})

describe('names are unique where they are shown', () => {
  it.each([
    ['two checks', {}, ['a', 'a'], ['the name "a" twice']],
    ['three checks', {}, ['a', 'a', 'a'], ['the name "a" twice', 'the name "a" twice']],
    [
      'a check and a database in readiness',
      { default: 1 },
      ['database_default'],
      ['the name "database_default" twice'],
    ],
    [
      'a check and the default database in the verdict',
      { main: 1 },
      ['database'],
      ['the name "database" twice'],
    ],
    ['a check and another database', { default: 1, b: 1 }, ['database_b'], ['the name "database_b" twice']],
    ['names that differ in case', {}, ['a', 'A'], []],
    ['a check called like a key', { default: 1 }, ['default'], []],
    ['a database with the key "database"', { default: 1, database: 1 }, [], []],
  ])('%s', (_title, aliases, names, got) => {
    const databases = Object.fromEntries(Object.keys(aliases).map((alias) => [alias, check('x')]))
    const { refused } = read(
      databases,
      names.map((name) => check(name)),
    )
    expect(refused.map((problem) => problem.got)).toEqual(got)
    expect(pathsOf(refused)).toEqual(got.map(() => 'checks'))
  })
})

describe('what is no check', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'postgres'],
    ['a function', run],
    ['an empty object', {}],
    ['a pool', { query: run, name: 'pool' }],
    ['run is no function', { name: 'a', run: true }],
  ])('%s is refused where it stands', (_title, given) => {
    expect(read({ default: given }).refused.map(({ path }) => path)).toEqual(['databases.default'])
    const [path] = pathsOf(read({}, [given]).refused)
    expect(path).toMatch(/^checks(?:\[0\]|\.\w+)$/)
    expect(read({}, [given]).entries).toEqual([])
  })
})

describe('policy', () => {
  it('has defaults', () => {
    expect(read({}, [check('a')]).entries[0]).toMatchObject({
      critical: true,
      fall: 1,
      rise: 1,
      timeoutMs: 2_000,
      connectTimeoutMs: 5_000,
      minIntervalMs: 0,
    })
  })

  it('undefined means absent', () => {
    const nothing = {
      critical: undefined,
      fall: undefined,
      rise: undefined,
      timeoutMs: undefined,
      connectTimeoutMs: undefined,
      minIntervalMs: undefined,
      connect: undefined,
      stats: undefined,
      close: undefined,
      vendor: undefined,
    }
    const { entries, refused } = read({}, [check('a', nothing)])
    expect(refused).toEqual([])
    expect(entries[0]).toMatchObject({ critical: true, fall: 1, timeoutMs: 2_000 })
  })

  const NUMBERS: readonly [key: string, min: number, max: number, isWhole: boolean][] = [
    ['fall', 1, 100, true],
    ['rise', 1, 100, true],
    ['timeoutMs', 10, 600_000, false],
    ['connectTimeoutMs', 10, 600_000, false],
    ['minIntervalMs', 0, 86_400_000, false],
  ]

  it.each(NUMBERS)('%s is %d to %d (whole: %s)', (key, min, max, isWhole) => {
    for (const value of [min, max, isWhole ? 3 : 12.5]) {
      const { entries, refused } = read({ default: check('x', { [key]: value }) })
      expect(refused).toEqual([])
      expect(entries[0]).toHaveProperty(key, value)
    }
    const bad = [min - 1, max + 1, -1, Number.NaN, Number.POSITIVE_INFINITY, '20', 20n, true, null, {}, []]
    for (const value of isWhole ? [...bad, 1.5] : bad) {
      const { refused } = read({ default: check('x', { [key]: value }) }, [check('a', { [key]: value })])
      expect(pathsOf(refused)).toEqual([`databases.default.${key}`, `checks.a.${key}`])
      expect(refused[0]?.expected).toBe(`${min} to ${max}${isWhole ? ', whole' : ' milliseconds'}`)
    }
  })

  it.each([
    ['critical', [true, false], ['false', 0, null, {}]],
    ['connect', [run], ['x', null, {}]],
    ['stats', [run], [{}, null, 1]],
    ['close', [run], ['x', null, true]],
    ['vendor', ['postgresql', 'redis'], [1, null, {}, 1n]],
  ])('%s: good and wrong types', (key, good, bad) => {
    for (const value of good) {
      expect(read({}, [check('a', { [key]: value })]).refused).toEqual([])
    }
    for (const value of bad) {
      expect(pathsOf(read({}, [check('a', { [key]: value })]).refused)).toEqual([`checks.a.${key}`])
    }
  })

  it('every problem is told, of every check', () => {
    const { refused } = read({ default: check('x', { fall: 0, rise: 0 }) }, [
      check('a', { timeoutMs: 1, critical: 'no' }),
      null,
    ])
    expect(pathsOf(refused)).toEqual([
      'databases.default.fall',
      'databases.default.rise',
      'checks.a.critical',
      'checks.a.timeoutMs',
      'checks[1]',
    ])
  })
})

describe('typos in a check', () => {
  it.each([
    ['critcal', false, 'critical'],
    ['timeout', 100, 'timeoutMs'],
    ['minInterval', 5_000, 'minIntervalMs'],
    ['stat', run, 'stats'],
    ['code', { A: 'x' }, 'codes'],
    ['vender', 'kafka', 'vendor'],
  ])('a key %s with the value %j is refused, and %s is named', (key, value, meant) => {
    const { refused } = read({}, [check('mail', { [key]: value })])
    expect(refused).toMatchObject([
      { path: `checks.mail.${key}`, got: `an unknown option (did you mean ${meant}?)` },
    ])
  })

  it.each([
    ['runs', 0],
    ['isUp', true],
    ['pool', {}],
    ['behave', run],
    ['critcal', undefined],
  ])('a key %s with the value %j is the state of the check, and no typo', (key, value) => {
    expect(read({}, [check('mail', { [key]: value })]).refused).toEqual([])
  })

  it('every problem of a check is listed: a bad name hides none', () => {
    const { refused } = read({}, [
      { name: 'no good', run, critical: 'yes', fall: 0, connect: 5, rice: 2, codes: { a: 'x' } },
    ])
    expect(pathsOf(refused).toSorted()).toEqual(
      ['codes', 'connect', 'critical', 'fall', 'name', 'rice'].map((key) => `checks[0].${key}`),
    )
  })

  it('a check of a class may hold what it likes', () => {
    class Mail {
      readonly name = 'mail'
      readonly pool = {}
      run(): void {}
    }
    expect(read({}, [new Mail()]).refused).toEqual([])
  })
})
