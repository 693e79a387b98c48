import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../machinery/clock.ts'
import { manualClock } from '../machinery/manual-clock.ts'
import type { Check } from '../vocabulary/check.ts'
import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import type { SharedStore } from '../vocabulary/store.ts'
import type { HealthOptions } from './input.ts'
import { createProblems } from './problems.ts'
import { type DatabaseFromDsn, type Makers, readSettings as readInto, type Settings } from './settings.ts'
import { stderrLogger } from './stderr-logger.ts'

const run = (): void => undefined
const check = (name: string): Check => ({ name, run })
const silent = { debug: run, info: run, warn: run, error: run }
const store: SharedStore = { read: run, claim: run, write: run } as never
const redis = { status: 'ready', eval: run, set: run }
const appName = (): string => 'orders'
const fromDsn: DatabaseFromDsn = () => check('postgresql')

/** Reads settings, and throws when anything is wrong with them. */
function readSettings(given: HealthOptions | undefined, made: DatabaseFromDsn): Settings {
  const problems = createProblems()
  const makers: Makers = {
    databaseFromDsn: made,
    storeOfUrl: () => store,
    storeOfClient: () => store,
    appName,
  }
  const settings = readInto(given, makers, problems)
  problems.throwIfAny()
  return settings
}

/** Reads with an empty environment, unless the options bring one. Takes anything, as JavaScript does. */
const read = (options: object = {}, made: DatabaseFromDsn = fromDsn): Settings =>
  readSettings({ env: {}, logger: silent, ...options } as HealthOptions, made)

function refusedBy(options: object, made?: DatabaseFromDsn): readonly ConfigProblem[] {
  try {
    read(options, made)
  } catch (error) {
    expect(error).toBeInstanceOf(HealthConfigError)
    return (error as HealthConfigError).problems
  }
  return []
}
const pathsOf = (options: object): readonly string[] => refusedBy(options).map(({ path }) => path)

/** `{ 'a.b': 1 }` as options: `{ a: { b: 1 } }`. */
const at = (path: string, value: unknown): Record<string, unknown> => {
  const [group = '', key] = path.split('.')
  return key === undefined ? { [group]: value } : { [group]: { [key]: value } }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('the service’s name', () => {
  it('is what it is given, else the variable’s, else the app’s', () => {
    expect(read().namespace).toBe('orders')
    expect(read({ env: { BALDUR_NAMESPACE: 'of.env' } }).namespace).toBe('of.env')
    expect(read({ env: { BALDUR_NAMESPACE: 'of.env' }, namespace: 'given' }).namespace).toBe('given')
  })
})

describe('defaults', () => {
  it('are those of the design', () => {
    expect(read()).toEqual({
      entries: [],
      prefix: '',
      paths: {
        health: '/health',
        live: '/health/live',
        ready: '/health/ready',
        startup: '/health/startup',
        pool: '/health/pool',
        ping: '/health/ping',
      },
      readiness: { budgetMs: 500, cacheTtlMs: 5_000, timeoutFailDirection: 'not_ready' },
      verdict: { budgetMs: 2_500, refresh: true, l1TtlMs: 2_000, l2TtlMs: 15_000, refreshIntervalMs: 10_000 },
      namespace: 'orders',
      share: undefined,
      watchdog: {
        intervalMs: 30_000,
        timeoutMs: 10_000,
        components: {},
        onEscalate: undefined,
        webhookUrl: undefined,
      },
      expose: 'code',
      selfHealing: true,
      logger: silent,
      clock: systemClock,
    })
  })

  it('hold without any options too', () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('BALDUR_')) vi.stubEnv(name, undefined)
    expect(readSettings(undefined, fromDsn)).toMatchObject({ ...read(), logger: expect.anything() as object })
  })

  it('undefined means absent, at every level', () => {
    expect(
      read({
        databases: undefined,
        checks: undefined,
        prefix: undefined,
        paths: { health: undefined, live: undefined },
        readiness: { budgetMs: undefined, cacheTtlMs: undefined, timeoutFailDirection: undefined },
        verdict: {
          budgetMs: undefined,
          refresh: undefined,
          l1TtlMs: undefined,
          l2TtlMs: undefined,
          refreshIntervalMs: undefined,
          store: undefined,
        },
        watchdog: { intervalMs: undefined, timeoutMs: undefined, webhookUrl: undefined },
        expose: undefined,
        redis: undefined,
        namespace: undefined,
        selfHealing: undefined,
        clock: undefined,
      }),
    ).toEqual(read())
    expect(read({ paths: undefined, readiness: undefined, verdict: undefined, watchdog: undefined })).toEqual(
      read(),
    )
  })
})

describe('durations', () => {
  type Row = readonly [path: string, min: number, max: number, usual: number]
  const ROWS: readonly Row[] = [
    ['readiness.budgetMs', 50, 30_000, 500],
    ['readiness.cacheTtlMs', 0, 60_000, 5_000],
    ['verdict.budgetMs', 50, 30_000, 2_500],
    ['verdict.l1TtlMs', 100, 60_000, 2_000],
    ['verdict.l2TtlMs', 1_000, 300_000, 15_000],
    ['verdict.refreshIntervalMs', 1_000, 300_000, 10_000],
    ['watchdog.intervalMs', 1_000, 3_600_000, 30_000],
    ['watchdog.timeoutMs', 100, 60_000, 10_000],
  ]

  it('has 8 rows', () => expect(ROWS).toHaveLength(8))

  it.each(ROWS)('%s is %d to %d', (path, min, max, usual) => {
    const [group = '', key = ''] = path.split('.')
    // the interval must stay below the L2 TTL, whose own bound is the same
    const isInterval = path === 'verdict.refreshIntervalMs'
    for (const value of isInterval ? [min, usual] : [min, usual, max]) {
      const settings = read(at(path, value)) as unknown as Record<string, Record<string, unknown> | undefined>
      const shown = settings[group]?.[key]
      expect(shown === undefined || shown === value).toBe(true)
    }
    const bad = [min - 1, max + 1, -1, Number.NaN, Number.POSITIVE_INFINITY, '500', 500n, true, null, [], {}]
    for (const value of bad) {
      const [first, ...more] = refusedBy(at(path, value))
      expect(more).toEqual([])
      expect(first?.path).toBe(path)
      expect(first?.expected).toBe(`${min} to ${max} milliseconds`)
    }
  })

  it('the refresh interval must be below the L2 TTL, whoever gave them', () => {
    const interval = 'verdict.refreshIntervalMs'
    const variables = (refresh: string, l2: string): object => ({
      env: {
        BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS: refresh,
        BALDUR_PRECOMPUTED_CACHE_L2_TTL_SECONDS: l2,
      },
    })
    expect(pathsOf({ verdict: { refreshIntervalMs: 299_999, l2TtlMs: 300_000 } })).toEqual([])
    expect(pathsOf({ verdict: { refreshIntervalMs: 15_000 } })).toEqual([interval])
    expect(pathsOf({ verdict: { refreshIntervalMs: 20_000, l2TtlMs: 20_000 } })).toEqual([interval])
    // without an interval of its own the default follows the TTL
    expect(pathsOf({ verdict: { l2TtlMs: 1_000 } })).toEqual([])
    expect(pathsOf({ ...variables('4', '5') })).toEqual([])
    expect(pathsOf({ ...variables('5', '5'), verdict: { l2TtlMs: 6_000 } })).toEqual([])
    expect(pathsOf({ ...variables('4', '5'), verdict: { refreshIntervalMs: 5_000 } })).toEqual([interval])
  })

  it('an interval that a variable gave is named by the variable', () => {
    const env = { BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS: '20' }
    expect(pathsOf({ env })).toEqual(['BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS'])
  })
})

describe('everything else', () => {
  const webhookUrl = { webhookUrl: 'https://hooks.test/x' }
  const ROWS: readonly [path: string, good: readonly unknown[], bad: readonly unknown[]][] = [
    ['readiness.timeoutFailDirection', ['not_ready', 'ready'], ['READY', '', true, null, 0, ['ready']]],
    ['expose', ['code', 'message'], ['all', '', true, null, 1, []]],
    ['verdict.refresh', [true, false], ['true', 1, 0, null, {}]],
    ['selfHealing', [true, false], ['false', 1, 0, null, {}]],
    ['databases', [{}, { a: check('x') }], [null, [], 'postgres://h', true, 1]],
    ['checks', [[], [check('a')]], [null, {}, 'a', check('a'), true]],
    ['prefix', ['', '/', '/api'], [null, 'api', 1, {}]],
    ['paths', [{}, { live: '/livez' }], [null, [], '/livez', 1]],
    ['paths.live', ['/livez', '/'], [null, '', 'livez', 1, {}]],
    ['readiness', [{}], [null, [], 500, 'fast', true]],
    ['verdict', [{}], [null, [], 500, 'fast', true]],
    ['watchdog', [{}, true, false, webhookUrl], [null, [], 0, 'off']],
    [
      'watchdog.webhookUrl',
      ['http://h', 'https://h/x?y=z', 'https://a:b%20@h'],
      [null, '', 'h/x', 'ftp://h', 1, 'http://', 'http://a:%zz@h'],
    ],
    ['watchdog.onEscalate', [run, undefined], [null, true, 'x', {}]],
    [
      'watchdog.components',
      [{}, { queue: run }, { memory: false, pool_replica: false }],
      [null, [], 1, { 'a b': run }],
    ],
    [
      'redis',
      [redis, Object.assign(Object.create(redis) as object, {})],
      [null, 'redis://h', 1, true, {}, silent, { ...redis, status: 1 }],
    ],
    ['verdict.store', [store], [null, 'redis://h', {}, { read: run }, redis]],
    ['namespace', ['a', 'orders-api_2.eu', 'x'.repeat(64)], [null, '', 'A', 'a b', 'x'.repeat(65), 1, {}]],
    [
      'logger',
      [silent, console, Object.assign(() => undefined, silent)],
      [null, {}, 'x', { ...silent, warn: 1 }],
    ],
    ['clock', [systemClock, manualClock()], [null, {}, Date, { now: run, wall: run }]],
    ['env', [{}, process.env], [null, [], 'A=b', 1]],
  ]

  it('has 21 rows', () => expect(ROWS).toHaveLength(21))

  it.each(ROWS)('%s: good and wrong', (path, good, bad) => {
    for (const value of good) expect([value, ...pathsOf(at(path, value))]).toEqual([value])
    for (const value of bad) expect([value, ...pathsOf(at(path, value))]).toEqual([value, path])
  })

  it('a logger and a clock of one’s own are taken', () => {
    const clock = manualClock()
    expect(read({ clock })).toMatchObject({ clock, logger: silent })
  })

  it.each([null, 0, '', 'x', [], true])('%j in place of all options is refused', (options) => {
    expect(() => readSettings(options as never, fromDsn)).toThrow(/ {2}options: expected an object/)
  })
})

describe('unknown keys are refused, and the near one is named', () => {
  it.each([
    ['database', { database: {} }, 'databases'],
    ['readyness', { readyness: {} }, 'readiness'],
    ['cacheTtlMs', { cacheTtlMs: 5 }, undefined],
    ['readiness.budget', { readiness: { budget: 5 } }, 'budgetMs'],
    ['readiness.BudgetMs', { readiness: { BudgetMs: 5 } }, 'budgetMs'],
    ['readiness.ttl', { readiness: { ttl: 5 } }, undefined],
    ['verdict.l1Ttl', { verdict: { l1Ttl: 5 } }, 'l1TtlMs'],
    ['verdict.refreshInterval', { verdict: { refreshInterval: 5 } }, 'refreshIntervalMs'],
    ['watchdog.interval', { watchdog: { interval: 5 } }, 'intervalMs'],
    ['watchdog.webhookURL', { watchdog: { webhookURL: 'x' } }, 'webhookUrl'],
    ['paths.liveness', { paths: { liveness: '/x' } }, undefined],
    ['paths.lives', { paths: { lives: '/x' } }, 'live'],
    // even when it is undefined: it is a mistake all the same
    ['redist', { redist: undefined }, 'redis'],
    ['constructor', { constructor: 1 }, undefined],
  ])('%s', (path, options, meant) => {
    const [first, ...more] = refusedBy(options)
    expect(more).toEqual([])
    expect(first?.path).toBe(path)
    expect(first?.got).toBe(`an unknown option${meant === undefined ? '' : ` (did you mean ${meant}?)`}`)
  })
})

describe('options win over variables, variables over defaults', () => {
  const ROWS: readonly [path: string, variable: string, said: string, meant: unknown, option: unknown][] = [
    ['readiness.budgetMs', 'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS', '0.25', 250, 750],
    ['readiness.cacheTtlMs', 'BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS', '0', 0, 750],
    [
      'readiness.timeoutFailDirection',
      'BALDUR_HEALTH_CHECK_READINESS_TIMEOUT_FAIL_DIRECTION',
      'ready',
      'ready',
      'not_ready',
    ],
    ['verdict.l1TtlMs', 'BALDUR_PRECOMPUTED_CACHE_L1_TTL_SECONDS', '1.001', 1_001, 750],
    ['selfHealing', 'BALDUR_ENABLED', 'false', false, true],
  ]

  const valueAt = (settings: Settings, path: string): unknown =>
    path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], settings)

  it.each(ROWS)('%s and %s=%s', (path, variable, said, meant, option) => {
    const env = { [variable]: said }
    const usual = valueAt(read(), path)
    expect(usual).not.toBe(meant)
    expect(valueAt(read({ env }), path)).toBe(meant)
    expect(valueAt(read({ env, ...at(path, option) }), path)).toBe(option)
    expect(valueAt(read({ env, ...at(path, undefined) }), path)).toBe(meant)
    expect(valueAt(read({ env: { [variable]: '' } }), path)).toBe(usual)
  })

  it('seconds become whole milliseconds where they are, without the noise of floating point', () => {
    for (let ms = 50; ms <= 30_000; ms += 7) {
      const env = { BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS: String(ms / 1_000) }
      expect(read({ env }).readiness.budgetMs).toBe(ms)
    }
  })

  it('without `env` the variables of the process count, with it only its own', () => {
    vi.stubEnv('BALDUR_ENABLED', 'false')
    expect(readSettings({ logger: silent }, fromDsn).selfHealing).toBe(false)
    expect(read().selfHealing).toBe(true)
  })

  it('a bad variable is refused though an option takes its place', () => {
    const variable = 'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS'
    expect(pathsOf({ env: { [variable]: '5s' }, readiness: { budgetMs: 500 } })).toEqual([variable])
  })
})

describe('the database of the environment', () => {
  const env = { BALDUR_SQL_DSN: 'postgres://app:hunter2@db/orders' }

  it('is the default one', () => {
    const seen: string[] = []
    const { entries } = read({ env }, (dsn) => {
      seen.push(dsn)
      return check('postgresql')
    })
    expect(seen).toEqual([env.BALDUR_SQL_DSN])
    expect(entries.map(({ name, alias, isDefault }) => [name, alias, isDefault])).toEqual([
      ['database_default', 'default', true],
    ])
  })

  it('gives way to databases in the options, also to none of them', () => {
    const never: DatabaseFromDsn = () => {
      throw new Error('not asked for')
    }
    expect(read({ env, databases: {} }, never).entries).toEqual([])
    expect(read({ env, databases: { main: check('x') } }, never).entries).toHaveLength(1)
  })

  it('is not made of a DSN that is refused', () => {
    const never: DatabaseFromDsn = () => {
      throw new Error('not asked for')
    }
    const bad = { env: { BALDUR_SQL_DSN: 'redis://app:hunter2@db' } }
    expect(refusedBy(bad, never).map(({ path }) => path)).toEqual(['BALDUR_SQL_DSN'])
    expect(JSON.stringify(refusedBy(bad, never))).not.toContain('hunter2')
  })

  it('is told of when it cannot be made, without the DSN', () => {
    const problem = { path: 'BALDUR_SQL_DSN', expected: 'the package pg to be installed', got: 'none' }
    expect(refusedBy({ env }, () => problem)).toEqual([problem])
  })
})

describe('all problems come in one error', () => {
  it('of options at every level and of variables, each once', () => {
    const paths = pathsOf({
      typo: 1,
      databases: { a: check('x'), b: { name: 'x' }, 'c d': check('x') },
      checks: [check('q'), check('q'), { ...check('z'), fall: 0 }],
      prefix: 'api',
      paths: { live: 'x', ready: '/health', nope: '/x' },
      readiness: { budgetMs: '5s', cacheTtlMs: -1, timeoutFailDirection: 'up', nope: 1 },
      verdict: { budgetMs: 1, refresh: 'yes', l1TtlMs: 1, l2TtlMs: 1, nope: 1 },
      watchdog: { intervalMs: 1, timeoutMs: 1, webhookUrl: 'x', nope: 1 },
      expose: 'all',
      redis: 1,
      namespace: 'A B',
      selfHealing: 'no',
      clock: {},
      env: { BALDUR_ENABLED: 'maybe', BALDUR_ADMIN_PORT: 'http', BALDUR_ADMIN_KEY: 'short' },
    })
    expect([...paths].sort()).toEqual(
      [
        ...['typo', 'databases', 'databases.b', 'databases.c d', 'checks', 'checks.z.fall', 'prefix'],
        ...['paths.live', 'paths.ready', 'paths.nope'],
        ...['readiness.budgetMs', 'readiness.cacheTtlMs', 'readiness.timeoutFailDirection', 'readiness.nope'],
        ...['verdict.budgetMs', 'verdict.refresh', 'verdict.l1TtlMs', 'verdict.l2TtlMs', 'verdict.nope'],
        ...['watchdog.intervalMs', 'watchdog.timeoutMs', 'watchdog.webhookUrl', 'watchdog.nope'],
        ...['expose', 'redis', 'namespace', 'selfHealing', 'clock'],
        ...['BALDUR_ENABLED', 'BALDUR_ADMIN_PORT', 'BALDUR_ADMIN_KEY'],
      ].sort(),
    )
  })

  it('shows what it got with secrets masked', () => {
    const dsn = 'postgres://app:hunter2@db/orders'
    const problems = refusedBy({
      databases: dsn,
      prefix: dsn,
      namespace: dsn,
      paths: { live: dsn },
      readiness: { budgetMs: dsn, timeoutFailDirection: dsn },
      watchdog: { webhookUrl: `ftp://${dsn}` },
      checks: [{ name: dsn, run }],
    })
    expect(problems.length).toBe(8)
    expect(JSON.stringify(problems)).not.toContain('hunter2')
  })
})

describe('the caller’s objects', () => {
  it('are never changed, good or bad', () => {
    const good = deepFreeze({
      databases: { main: check('x'), default: { ...check('y'), fall: 3 } },
      checks: [check('a')],
      prefix: '/api/',
      paths: { live: '/livez/' },
      readiness: { budgetMs: 100 },
      verdict: { l2TtlMs: 2_000 },
      watchdog: { intervalMs: 1_000 },
      env: { BALDUR_ENABLED: 'false', BALDUR_TYPO: 'x' },
      logger: { ...silent },
    })
    expect(pathsOf(good)).toEqual([])
    const bad = deepFreeze({
      databases: { a: check('x'), b: 1 },
      checks: [1],
      prefix: 1,
      paths: { live: 1 },
      readiness: { budgetMs: 'x' },
      watchdog: { nope: 1 },
      env: { BALDUR_ENABLED: 'x' },
      logger: { ...silent },
    })
    expect(pathsOf(bad)).toHaveLength(8)
  })

  it('two readings share nothing that can be changed', () => {
    const [one, other] = [read(), read()]
    expect(one.paths).not.toBe(other.paths)
    expect(one.readiness).not.toBe(other.readiness)
  })
})

describe('the default logger', () => {
  it('is the one of standard error', () => {
    const { logger } = readSettings({ env: {} }, fromDsn)
    expect(logger).toBe(stderrLogger)
  })
})
