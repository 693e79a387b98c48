import type { Check, CheckPolicy, Gauges } from '../../vocabulary/check.ts'
import { connectionProblems, type KnownOptions } from '../connection-options.ts'
import { kindOf, optionProblems, refuse, throwIfAny } from '../input.ts'
import { loadDriver } from '../load-driver.ts'
import { ownConnection } from '../own-connection.ts'
import { borrowedConnection } from './borrowed-connection.ts'
import { isPool, type PostgresClientClass, type PostgresConnection, type PostgresPool } from './driver.ts'
import { ownedClient } from './owned-client.ts'
import { ANSWERS, WRITABLE } from './statement.ts'

/** Options of `postgresCheck`. */
export interface PostgresCheckOptions extends CheckPolicy {
  /** Name of the check; in `databases` the key replaces it. @default 'postgresql' */
  readonly name?: string
  /** `'own'` keeps one connection beside the pool; `'pool'` borrows one for each run, queues with the requests, and needs a pool with `connectionTimeoutMillis`: a borrow that never ends keeps its run. @default 'own' */
  readonly via?: 'own' | 'pool'
  /** Reads not usable on a read-only server, as after a failover. @default false */
  readonly requireWritable?: boolean
}

/** A string without a scheme, or with one of these, is one that `pg` reads. */
const isConnectionString = (source: unknown): boolean =>
  typeof source === 'string' && /^(?:(?:postgres(?:ql)?|socket):|(?![a-z][a-z0-9+.-]*:\/\/).)/is.test(source)

/** Options are plain: a `pg.Client` is none, its own connection would be taken for a setting. */
const isOptions = (source: unknown): boolean =>
  Object.prototype.toString.call(source) === '[object Object]' &&
  !['connect', 'query'].some((name) => typeof (source as Record<string, unknown>)[name] === 'function')

const OPTIONS: KnownOptions = {
  factory: 'postgresCheck',
  instead: 'a pg.Pool or a connection string',
  targets: ['host', 'connectionString', 'port', 'database', 'user'],
  others: ['password', 'ssl'],
}

function checkInput(source: unknown, options: PostgresCheckOptions): void {
  const problems = [
    ...optionProblems('postgresCheck', options, { via: ['own', 'pool'], requireWritable: 'boolean' }),
  ]
  if (!isPool(source) && !isConnectionString(source) && !isOptions(source)) {
    const expected = 'a pg.Pool, connection options or a connection string of PostgreSQL'
    const got = typeof source === 'string' ? 'a string that is none (not shown)' : kindOf(source)
    problems.unshift({ path: 'postgresCheck(source)', expected, got })
  } else if (!isPool(source) && typeof source === 'object' && source !== null) {
    problems.unshift(...connectionProblems(source, OPTIONS))
  }
  if (problems.length === 0 && options?.via === 'pool' && !isPool(source)) {
    const expected = "a pg.Pool to borrow from with 'pool'"
    problems.push({ path: 'postgresCheck.via', expected, got: 'connection settings' })
  }
  throwIfAny(problems)
}

/** The client class of the pool itself, so that its driver is used whichever copy it is; else the installed `pg`. */
function clientClassOf(source: unknown): PostgresClientClass {
  const ofPool = isPool(source) ? (source as { Client?: unknown }).Client : undefined
  if (typeof ofPool === 'function') return ofPool as PostgresClientClass
  const driver = loadDriver('pg') as { readonly Client?: PostgresClientClass } | undefined
  if (driver?.Client === undefined) return refuse('postgresCheck', 'the package pg to be installed', 'none')
  return driver.Client
}

/** The connection settings as the pool itself would use them, without its timeouts: the run has its own. */
function configOf(source: PostgresPool | PostgresConnection): object {
  if (typeof source === 'string') return configOf({ connectionString: source })
  const options: Readonly<Record<string, unknown>> = isPool(source)
    ? (source.options as Readonly<Record<string, unknown>>)
    : (source as Readonly<Record<string, unknown>>)
  // the pool hides its password from enumeration
  const password = options.password
  return {
    fallback_application_name: 'baldur-health',
    ...options,
    ...(password === undefined ? {} : { password }),
    connectionTimeoutMillis: 0,
    query_timeout: 0,
    keepAlive: true,
  }
}

function gaugesOf({ options, totalCount, idleCount, waitingCount }: PostgresPool): Gauges {
  const { max } = options as { readonly max?: unknown }
  const gauges = { total: totalCount, idle: idleCount, waiting: waitingCount }
  return typeof max === 'number' ? { ...gauges, max } : gauges
}

/**
 * Checks a PostgreSQL server: one round trip a run on a warm connection of its own, made from the pool's settings. Takes
 * a `pg.Pool`, connection options or a connection string. Throws a `HealthConfigError` when it gets something else, or
 * when `pg` is needed and not installed.
 */
export function postgresCheck(
  source: PostgresPool | PostgresConnection,
  options: PostgresCheckOptions = {},
): Check {
  checkInput(source, options)
  const { via = 'own', requireWritable = false, name = 'postgresql', ...policy } = options
  const base = { ...policy, name, vendor: 'postgresql' }
  const statement = requireWritable ? WRITABLE : ANSWERS
  if (via === 'pool' && isPool(source)) {
    return { ...base, ...borrowedConnection(source, statement), stats: () => gaugesOf(source) }
  }
  const Client = clientClassOf(source)
  try {
    // reads the settings and opens nothing; a stream of the application's own might dial
    new Client({ ...configOf(source), stream: undefined })
  } catch {
    // its message can hold the settings
    refuse('postgresCheck(source)', 'settings that pg can read', 'settings that it cannot (not shown)')
  }
  // read anew for each connection, as the pool does: a password may have been rotated
  const own = ownConnection(() => ownedClient(new Client(configOf(source)), statement))
  return isPool(source) ? { ...base, ...own, stats: () => gaugesOf(source) } : { ...base, ...own }
}
