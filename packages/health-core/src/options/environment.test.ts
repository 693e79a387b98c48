import { describe, expect, it } from 'vitest'
import type { ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import { readEnvironment } from './environment.ts'
import { createProblems } from './problems.ts'

function read(env: Readonly<Record<string, unknown>>): {
  readonly values: Readonly<Record<string, string>>
  readonly refused: readonly ConfigProblem[]
  readonly warnings: readonly string[]
  /** Everything that was said to anybody. */
  readonly said: string
} {
  const problems = createProblems()
  const warnings: string[] = []
  const values = Object.fromEntries(readEnvironment(env, problems, { warn: (line) => warnings.push(line) }))
  try {
    problems.throwIfAny()
    return { values, refused: [], warnings, said: warnings.join() }
  } catch (error) {
    const { problems: refused, message, stack } = error as HealthConfigError
    return { values, refused, warnings, said: [...warnings, JSON.stringify(refused), message, stack].join() }
  }
}

/** Every variable of DESIGN section 11, with values at its bounds and beyond them. */
const SECONDS: readonly [name: string, good: readonly string[], bad: readonly string[]][] = [
  ['BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS', ['0.05', '0.5', '30'], ['0.049', '30.001', '0']],
  ['BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS', ['0', '5', '60'], ['60.1', '-1']],
  ['BALDUR_PRECOMPUTED_CACHE_L1_TTL_SECONDS', ['0.1', '2', '60'], ['0.09', '61']],
  ['BALDUR_PRECOMPUTED_CACHE_L2_TTL_SECONDS', ['1', '15', '300'], ['0.99', '301']],
  ['BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS', ['1', '10', '300'], ['0.99', '301']],
  ['BALDUR_META_WATCHDOG_PROBE_INTERVAL_SECONDS', ['1', '30', '3600'], ['0.99', '3601']],
  ['BALDUR_META_WATCHDOG_PROBE_TIMEOUT_SECONDS', ['0.1', '10', '60'], ['0.09', '61']],
  ['BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS', ['0', '5', '300'], ['-1', '301']],
  ['BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS', ['0.1', '20', '3600'], ['0.09', '3601']],
  ['BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS', ['0', '3', '300'], ['-1', '301']],
  ['BALDUR_DRAIN_GRACE_PERIOD_SECONDS', ['1', '30', '3600'], ['0.99', '3601']],
]
const NOT_SECONDS = ['abc', '5s', '1e3', '0x10', ' 5', '5 ', '+5', '5.', '5,0', 'NaN', 'Infinity', '١']

const BOOLEANS = [
  'BALDUR_ENABLED',
  'BALDUR_PRECOMPUTED_CACHE_ENABLED',
  'BALDUR_META_WATCHDOG_ENABLED',
  'BALDUR_ADMIN_ENABLED',
]

const OTHERS: readonly [name: string, good: readonly string[], bad: readonly string[]][] = [
  [
    'BALDUR_SQL_DSN',
    [
      'postgres://h/d',
      'postgresql://u:p@h:5432/d?sslmode=require',
      'postgresql://h1:5432,h2:5432/d',
      'postgres://u:p@/d?host=/run',
      'postgres:///d?host=/run',
      'postgres://[::1]:5432/d',
      'mysql://u:p%40w@h/d',
    ],
    ['redis://h', 'postgres:/h', 'h:5432/d', 'host=h password=hunter2', ' postgres://h', 'mysql:/h'],
  ],
  ['BALDUR_REDIS_URL', ['redis://h', 'rediss://u:p@h:6380/1'], ['http://h', 'h:6379', 'redis:h']],
  ['BALDUR_REDIS_USERNAME', ['default', 'app user'], []],
  ['BALDUR_REDIS_PASSWORD', ['x', 'hunter2 with spaces'], []],
  [
    'BALDUR_NAMESPACE',
    ['a', 'orders-api_2.eu', 'x'.repeat(64)],
    ['A', 'a b', 'a/b', 'x'.repeat(65), 'a\n', 'ä'],
  ],
  [
    'BALDUR_HEALTH_CHECK_READINESS_TIMEOUT_FAIL_DIRECTION',
    ['not_ready', 'ready'],
    ['READY', 'not-ready', 'fail'],
  ],
  ['BALDUR_META_WATCHDOG_WEBHOOK_URL', ['http://h/x', 'https://h/x?token=1'], ['ftp://h', 'h/x', 'https://']],
  ['BALDUR_ADMIN_BIND', ['127.0.0.1', '0.0.0.0', '::1', 'localhost'], []],
  ['BALDUR_ADMIN_PORT', ['0', '9090', '65535'], ['65536', '-1', '90.5', 'http', '99999', '0x1']],
  ['BALDUR_ADMIN_KEY', ['8 chars!', 'x'.repeat(200)], ['7 chars']],
  ['BALDUR_ADMIN_READONLY_KEY', ['8 chars!'], ['7 chars']],
  ['BALDUR_ADMIN_ALLOWED_HOSTS', ['a.test', 'a.test, b.test:9090'], []],
]

const ALL: typeof OTHERS = [
  ...SECONDS.map(([name, good, bad]) => [name, good, [...bad, ...NOT_SECONDS]] as const).map(
    ([name, good, bad]) => [name, good, bad] as [string, readonly string[], readonly string[]],
  ),
  ...BOOLEANS.map(
    (name) =>
      [name, ['true', 'false'], ['True', 'FALSE', '1', '0', 'yes', 'on', 'true ']] as [
        string,
        readonly string[],
        readonly string[],
      ],
  ),
  ...OTHERS,
]

/** What a variable needs beside it. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BALDUR_ADMIN_READONLY_KEY: { BALDUR_ADMIN_KEY: 'the operator' },
}

describe('every variable', () => {
  it('has its row: 27 of them', () => {
    expect(ALL).toHaveLength(27)
    expect(new Set(ALL.map(([name]) => name)).size).toBe(27)
  })

  it.each(ALL)('%s', (name, good, bad) => {
    for (const value of good) {
      const answer = read({ ...BESIDE[name], [name]: value })
      expect(answer).toMatchObject({ values: { [name]: value }, refused: [], warnings: [] })
    }
    for (const value of bad) {
      const { values, refused } = read({ ...BESIDE[name], [name]: value })
      expect(values).toEqual({ ...BESIDE[name] })
      expect(refused.map(({ path }) => path)).toEqual([name])
    }
  })

  it.each(ALL.map(([name]) => [name]))('%s counts as absent when it is empty or undefined', (name) => {
    expect(read({ [name]: '' })).toMatchObject({ values: {}, refused: [], warnings: [] })
    expect(read({ [name]: undefined })).toMatchObject({ values: {}, refused: [], warnings: [] })
  })

  it.each(ALL.map(([name]) => [name]))('%s is ignored with a warning when it is a service link', (name) => {
    const { values, refused, warnings } = read({ [name]: 'tcp://10.96.0.7:9090' })
    expect({ values, refused }).toEqual({ values: {}, refused: [] })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(name)
    expect(warnings[0]).toContain('service link')
  })

  it('every bad one is told of in one go', () => {
    const env = Object.fromEntries(
      ALL.filter(([, , bad]) => bad.length > 0).map(([name, , [bad]]) => [name, bad]),
    )
    expect(new Set(read(env).refused.map(({ path }) => path))).toEqual(new Set(Object.keys(env)))
  })

  it('the two admin keys must differ', () => {
    const { refused, said } = read({
      BALDUR_ADMIN_KEY: 'hunter2hunter2',
      BALDUR_ADMIN_READONLY_KEY: 'hunter2hunter2',
    })
    expect(refused.map(({ path }) => path)).toEqual(['BALDUR_ADMIN_READONLY_KEY'])
    expect(said).not.toContain('hunter2')
  })

  it('a viewer key alone is left to the admin server, whose operator key may be an option', () => {
    expect(read({ BALDUR_ADMIN_READONLY_KEY: 'hunter2hunter2' }).refused).toEqual([])
  })

  it('a key that cannot travel in a header is refused, and not shown', () => {
    const expected = 'at least 8 visible ASCII characters, without white space at either end'
    const got = (key: string) => read({ BALDUR_ADMIN_KEY: key }).refused
    expect(got('hunter2hunter2\n')).toEqual([
      { path: 'BALDUR_ADMIN_KEY', expected, got: 'white space at an end (a line feed?)' },
    ])
    expect(got('schl\u00fcssel-hunter2')).toEqual([
      { path: 'BALDUR_ADMIN_KEY', expected, got: 'other characters' },
    ])
    expect(got('two words of key')).toEqual([])
  })

  it('white space that is what is wrong is shown', () => {
    expect(read({ BALDUR_ENABLED: 'true\n' }).refused[0]?.got).toBe('"true\\n" (string)')
    expect(read({ BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS: ' 5' }).refused[0]?.got).toBe(
      '" 5" (string)',
    )
  })

  it('an error says what is allowed and what was there', () => {
    const name = 'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS'
    expect(read({ [name]: '5s' }).refused).toEqual([
      { path: name, expected: '0.05 to 30 seconds', got: expect.stringContaining('"5s"') as string },
    ])
  })
})

describe('a URL', () => {
  it.each([['redis://:a%zz@h'], ['redis://u%:p@h']])(
    '%s, whose escapes are broken, is one problem of several',
    (url) => {
      const { refused } = read({ BALDUR_REDIS_URL: url, BALDUR_ENABLED: 'maybe' })
      expect(refused.map(({ path }) => path)).toEqual(['BALDUR_REDIS_URL', 'BALDUR_ENABLED'])
      expect(refused[0]).toMatchObject({
        expected: 'a user and a password that are percent-encoded',
        got: 'others (not shown)',
      })
    },
  )

  it.each([
    ['postgres://u:p@ /'],
    ['postgres://u:p@%20/orders'],
    ['postgresql:// \t:5432/orders'],
    ['postgres://u:p@ '],
    ['postgres://u:p@ ?ssl=true'],
    ['mysql://u:p@ :3306/orders'],
  ])('%j of a database, whose host is blank, is refused', (dsn) => {
    expect(read({ BALDUR_SQL_DSN: dsn }).refused).toEqual([
      { path: 'BALDUR_SQL_DSN', expected: 'a host that is not blank', got: 'one that is (not shown)' },
    ])
  })

  it.each([
    ['postgres:///orders'],
    ['postgres://u:p@/orders?host=/run'],
    ['postgres://u: @db/orders'],
    ['postgres://u:100%@db/my orders'],
  ])('%j of a database is left to its driver', (dsn) => {
    expect(read({ BALDUR_SQL_DSN: dsn }).values).toEqual({ BALDUR_SQL_DSN: dsn })
  })
})

describe('secrets are never echoed', () => {
  const ROWS: readonly [name: string, value: unknown][] = [
    ['BALDUR_SQL_DSN', 'pg://app:hunter2@db.internal/orders'],
    ['BALDUR_SQL_DSN', 'mariadb://app:hunter2@db.internal/orders'],
    ['BALDUR_REDIS_URL', 'redis://app:hunter2@db.internal:port/0'],
    ['BALDUR_REDIS_URL', 'redis://:hunter2%zz@db.internal'],
    ['BALDUR_REDIS_URL', 'redis://app%:hunter2@db.internal'],
    ['BALDUR_META_WATCHDOG_WEBHOOK_URL', 'https://app:hunter2%@hooks.test'],
    ['BALDUR_SQL_DSN', 'postgres://app:hunter2@ /orders'],
    ['BALDUR_SQL_DSN', 'hunter2'],
    ['BALDUR_SQL_DSN', 'host=db.internal password=hunter2'],
    ['BALDUR_SQL_DSN', 'tcp://app:hunter2@db.internal'],
    ['BALDUR_REDIS_URL', 'http://:hunter2@db.internal'],
    ['BALDUR_META_WATCHDOG_WEBHOOK_URL', 'hooks.test/hunter2'],
    ['BALDUR_ADMIN_KEY', 'hunter2'],
    ['BALDUR_ADMIN_READONLY_KEY', 'hunter2'],
    // a value of another type: only programs can give one
    ['BALDUR_ADMIN_KEY', 77_000_777],
    ['BALDUR_REDIS_PASSWORD', 77_000_777],
    ['BALDUR_SQL_DSN', ['postgres://app:hunter2@db.internal']],
    // pasted into the wrong place
    ['BALDUR_NAMESPACE', 'postgres://app:hunter2@db.internal/orders'],
    ['BALDUR_ADMIN_PORT', 'postgres://app:hunter2@db.internal/orders'],
    ['BALDUR_ENABLED', 'password=hunter2'],
    ['BALDUR_DRAIN_GRACE_PERIOD_SECONDS', 'postgres://app:hunter2@db.internal'],
    ['BALDUR_SQL_DNS', 'postgres://app:hunter2@db.internal'],
  ]

  it('has 22 rows', () => expect(ROWS).toHaveLength(22))

  it.each(ROWS)('%s = %j', (name, value) => {
    const { said } = read({ [name]: value })
    expect(said).toContain(name)
    expect(said).not.toContain('hunter2')
    expect(said).not.toContain('77')
  })
})

describe('other variables', () => {
  it.each([
    ['BALDUR_SQL_DNS', 'BALDUR_SQL_DSN'],
    ['BALDUR_REDIS_URI', 'BALDUR_REDIS_URL'],
    [
      'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECOND',
      'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS',
    ],
    ['BALDUR_DRAIN_GRACE_PERIOD_SECS', 'BALDUR_DRAIN_GRACE_PERIOD_SECONDS'],
    ['BALDUR_META_WATCHDOG_WEBHOOK', 'BALDUR_META_WATCHDOG_WEBHOOK_URL'],
  ])('%s is warned of, with %s', (name, meant) => {
    const { values, refused, warnings } = read({ [name]: 'x' })
    expect({ values, refused }).toEqual({ values: {}, refused: [] })
    expect(warnings).toEqual([`${name} is not a known variable; did you mean ${meant}?`])
  })

  it('one that is like none of ours is warned of without a suggestion', () => {
    expect(read({ BALDUR_FLUX_CAPACITOR: 'on' }).warnings).toEqual([
      'BALDUR_FLUX_CAPACITOR is not a known variable',
    ])
  })

  it('those of a Kubernetes service called baldur, or baldur-admin, are no mistakes', () => {
    const { values, refused, warnings } = read({
      BALDUR_SERVICE_HOST: '10.96.0.7',
      BALDUR_SERVICE_PORT: '80',
      BALDUR_SERVICE_PORT_HTTP: '80',
      BALDUR_PORT_80_TCP: 'tcp://10.96.0.7:80',
      BALDUR_PORT_80_TCP_PROTO: 'tcp',
      BALDUR_PORT_80_TCP_PORT: '80',
      BALDUR_PORT_80_TCP_ADDR: '10.96.0.7',
      BALDUR_ADMIN_SERVICE_HOST: '10.96.0.8',
      BALDUR_ADMIN_PORT: 'tcp://10.96.0.8:9090',
      BALDUR_ADMIN_PORT_9090_TCP: 'tcp://10.96.0.8:9090',
    })
    expect({ values, refused }).toEqual({ values: {}, refused: [] })
    expect(warnings.filter((line) => line.includes('not a known variable'))).toEqual([])
    expect(warnings.filter((line) => line.startsWith('BALDUR_ADMIN_PORT is ignored'))).toHaveLength(1)
  })

  it('those of others are not looked at', () => {
    const env = {
      PATH: '/bin',
      baldur_enabled: 'nonsense',
      MY_BALDUR_ENABLED: 'nonsense',
      BALDURENABLED: 'x',
    }
    expect(read(env)).toMatchObject({ values: {}, refused: [], warnings: [] })
  })
})
