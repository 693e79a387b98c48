import type { Check, CheckPolicy } from '../../vocabulary/check.ts'
import { HealthConfigError } from '../../vocabulary/config-error.ts'
import { loadDriver } from '../load-driver.ts'
import { borrowedConnection } from './borrowed-connection.ts'
import type { PostgresClientClass, PostgresConnection, PostgresPool } from './driver.ts'
import { ownConnection } from './own-connection.ts'
import { ANSWERS, WRITABLE } from './statement.ts'

export interface PostgresCheckOptions extends CheckPolicy {
  /** In `databases` the key takes its place. @default 'postgresql' */
  readonly name?: string
  /** `'own'` keeps one connection beside the pool; `'pool'` borrows one for each run and waits in line with the requests. @default 'own' */
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
]

const isPool = (source: unknown): source is PostgresPool =>
  typeof source === 'object' &&
  source !== null &&
  typeof (source as PostgresPool).connect === 'function' &&
  'totalCount' in source

function refuse(path: string, expected: string, got: string): never {
  throw new HealthConfigError([{ path, expected, got }])
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

/**
 * Checks a PostgreSQL server: one round trip a run on a warm connection of its own, made from the pool's settings. Takes
 * a `pg.Pool`, connection options or a connection string. Throws a `HealthConfigError` when it gets something else, or
 * when `pg` is needed and not installed.
 */
export function postgresCheck(
  source: PostgresPool | PostgresConnection,
  options: PostgresCheckOptions = {},
): Check {
  const isConnection = typeof source === 'string' || (typeof source === 'object' && source !== null)
  if (!isConnection) {
    refuse('postgresCheck(source)', 'a pg.Pool, connection options or a connection string', String(source))
  }
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key))
  if (unknown !== undefined)
    refuse(`postgresCheck.${unknown}`, `one of ${OPTIONS.join(', ')}`, 'an unknown option')
  const { via = 'own', requireWritable = false, name = 'postgresql', ...policy } = options
  if (via !== 'own' && via !== 'pool') refuse('postgresCheck.via', "'own' or 'pool'", JSON.stringify(via))

  const base = { ...policy, name, vendor: 'postgresql' }
  const statement = requireWritable ? WRITABLE : ANSWERS
  if (!isPool(source)) {
    if (via === 'pool')
      refuse('postgresCheck.via', "a pg.Pool to borrow from with 'pool'", 'connection settings')
    const Client = clientClassOf(source)
    return { ...base, ...ownConnection(() => new Client(configOf(source)), statement) }
  }
  const stats = (): Record<string, number> => {
    const { max } = source.options as { readonly max?: unknown }
    const gauges = { total: source.totalCount, idle: source.idleCount, waiting: source.waitingCount }
    return typeof max === 'number' ? { ...gauges, max } : gauges
  }
  if (via === 'pool') return { ...base, ...borrowedConnection(source, statement), stats }
  const Client = clientClassOf(source)
  return { ...base, ...ownConnection(() => new Client(configOf(source)), statement), stats }
}
