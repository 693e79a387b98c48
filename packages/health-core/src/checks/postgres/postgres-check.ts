import type { Check, CheckPolicy, Gauges } from '../../vocabulary/check.ts'
import { HealthConfigError } from '../../vocabulary/config-error.ts'
import { loadDriver } from '../load-driver.ts'
import { borrowedConnection } from './borrowed-connection.ts'
import type { PostgresClientClass, PostgresConnection, PostgresPool } from './driver.ts'
import { ownConnection } from './own-connection.ts'
import { ANSWERS, WRITABLE } from './statement.ts'

export interface PostgresCheckOptions extends CheckPolicy {
  /** In `databases` the key takes its place. @default 'postgresql' */
  readonly name?: string
  /** `'own'` keeps one connection beside the pool; `'pool'` borrows one for each run, waits in line with the requests, and needs a pool with `connectionTimeoutMillis`: a borrow that never ends keeps its run. @default 'own' */
  readonly via?: 'own' | 'pool'
  /** Not usable on a read-only server, as after a fail-over. @default false */
  readonly requireWritable?: boolean
}

const OPTIONS = [
  'name',
  'via',
  'requireWritable',
  'critical',
  'fall',
  'rise',
  'timeoutMs',
  'connectTimeoutMs',
  'minIntervalMs',
  'heal',
]

const isPool = (source: unknown): source is PostgresPool =>
  typeof source === 'object' &&
  source !== null &&
  typeof (source as PostgresPool).connect === 'function' &&
  typeof (source as PostgresPool).options === 'object' &&
  'totalCount' in source

/** A string without a scheme, or with one of these, is one that `pg` reads. */
const isConnectionString = (source: unknown): boolean =>
  typeof source === 'string' && /^(?:(?:postgres(?:ql)?|socket):|(?![a-z][a-z0-9+.-]*:\/\/).)/is.test(source)

/** Options are plain: a `pg.Client` is none, its own connection would be taken for a setting. */
const isOptions = (source: unknown): boolean =>
  Object.prototype.toString.call(source) === '[object Object]' &&
  !['connect', 'query'].some((name) => typeof (source as Record<string, unknown>)[name] === 'function')

function refuse(path: string, expected: string, got: string): never {
  throw new HealthConfigError([{ path, expected, got }])
}

/** What something is, without showing it: it may hold a password. */
const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`
}

function checkInput(source: unknown, options: PostgresCheckOptions): void {
  if (!isPool(source) && !isConnectionString(source) && !isOptions(source)) {
    const got = typeof source === 'string' ? 'a string that is none (not shown)' : kindOf(source)
    refuse('postgresCheck(source)', 'a pg.Pool, connection options or a connection string of PostgreSQL', got)
  }
  if (typeof options !== 'object' || options === null) {
    refuse('postgresCheck(source, options)', 'an object', kindOf(options))
  }
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key))
  if (unknown !== undefined)
    refuse(`postgresCheck.${unknown}`, `one of ${OPTIONS.join(', ')}`, 'an unknown option')
  const { via, requireWritable } = options
  if (via !== undefined && via !== 'own' && via !== 'pool') {
    refuse('postgresCheck.via', "'own' or 'pool'", kindOf(via))
  }
  if (via === 'pool' && !isPool(source)) {
    refuse('postgresCheck.via', "a pg.Pool to borrow from with 'pool'", 'connection settings')
  }
  if (requireWritable !== undefined && typeof requireWritable !== 'boolean') {
    refuse('postgresCheck.requireWritable', 'true or false', kindOf(requireWritable))
  }
}

/** The client class of the pool itself, so that its driver is used whichever copy it is; else the installed `pg`. */
function clientClassOf(source: unknown): PostgresClientClass {
  const ofPool = isPool(source) ? (source as { Client?: unknown }).Client : undefined
  if (typeof ofPool === 'function') return ofPool as PostgresClientClass
  const driver = loadDriver('pg') as { readonly Client?: PostgresClientClass } | undefined
  if (driver?.Client === undefined) return refuse('postgresCheck', 'the package pg to be installed', 'none')
  return driver.Client
}

/** The connection settings as the pool itself would use them, without its time-outs: ours is the run's. */
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
  const own = ownConnection(() => new Client(configOf(source)), statement)
  return isPool(source) ? { ...base, ...own, stats: () => gaugesOf(source) } : { ...base, ...own }
}
