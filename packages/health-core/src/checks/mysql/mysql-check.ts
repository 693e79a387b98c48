import type { Check, CheckPolicy } from '../../vocabulary/check.ts'
import { connectionProblems, type KnownOptions } from '../connection-options.ts'
import { kindOf, optionProblems, refuse, throwIfAny } from '../input.ts'
import { loadDriver } from '../load-driver.ts'
import { ownConnection } from '../own-connection.ts'
import { borrowedConnection } from './borrowed-connection.ts'
import type { MysqlConnection, MysqlDriver } from './driver.ts'
import { ownedClient } from './owned-client.ts'
import { corePoolOf, gaugesOf, type MysqlPool } from './pool.ts'
import { configFor, readConfig } from './settings.ts'
import { ANSWERS, WRITABLE } from './statement.ts'

/** Options of `mysqlCheck`. */
export interface MysqlCheckOptions extends CheckPolicy {
  /** Name of the check; in `databases` the key replaces it. @default 'mysql' */
  readonly name?: string
  /** `'own'` keeps one connection beside the pool; `'pool'` borrows one for each run and queues with the requests: a borrow that never ends keeps its run. @default 'own' */
  readonly via?: 'own' | 'pool'
  /** Reads not usable on a read-only server, as after a failover. @default false */
  readonly requireWritable?: boolean
}

const isUrl = (source: unknown): boolean => typeof source === 'string' && /^mysql:\/\/./i.test(source)

/** Options are plain: a connection is none, nor is a pool of something else. */
const isOptions = (source: unknown): boolean =>
  Object.prototype.toString.call(source) === '[object Object]' &&
  !['connect', 'query', 'getConnection', 'on'].some(
    (name) => typeof (source as Record<string, unknown>)[name] === 'function',
  )

const OPTIONS: KnownOptions = {
  factory: 'mysqlCheck',
  instead: 'a pool of mysql2 or a mysql:// URL',
  targets: ['host', 'uri', 'socketPath', 'port', 'database', 'user'],
  others: ['password', 'password1', 'password2', 'password3', 'ssl'],
}

function checkInput(source: unknown, options: MysqlCheckOptions): void {
  const pool = corePoolOf(source)
  const problems = [
    ...optionProblems('mysqlCheck', options, { via: ['own', 'pool'], requireWritable: 'boolean' }),
  ]
  if (pool === undefined && !isUrl(source) && !isOptions(source)) {
    const expected = 'a pool of mysql2 or mysql2/promise, connection options or a mysql:// URL'
    const got = typeof source === 'string' ? 'a string that is none (not shown)' : kindOf(source)
    problems.unshift({ path: 'mysqlCheck(source)', expected, got })
  } else if (pool === undefined && typeof source === 'object' && source !== null) {
    problems.unshift(...connectionProblems(source, OPTIONS))
  }
  if (problems.length === 0 && options?.via === 'pool' && pool === undefined) {
    const expected = "a pool to borrow from with 'pool'"
    problems.push({ path: 'mysqlCheck.via', expected, got: 'connection settings' })
  }
  throwIfAny(problems)
}

function driver(): MysqlDriver {
  const loaded = loadDriver('mysql2') as MysqlDriver | undefined
  if (loaded?.ConnectionConfig === undefined)
    return refuse('mysqlCheck', 'the package mysql2 to be installed', 'none')
  return loaded
}

/**
 * Checks a MySQL or MariaDB server: one round trip a run on a warm connection of its own, made from the pool's settings.
 * Takes a pool, connection options or a `mysql://` URL. Throws a `HealthConfigError` when it gets something else, or when
 * `mysql2` is needed and not installed.
 */
export function mysqlCheck(source: MysqlPool | MysqlConnection, options: MysqlCheckOptions = {}): Check {
  checkInput(source, options)
  const { via = 'own', requireWritable = false, name = 'mysql', ...policy } = options
  const base = { ...policy, name, vendor: 'mysql' }
  const statement = requireWritable ? WRITABLE : ANSWERS
  const pool = corePoolOf(source)
  const gauges = pool === undefined ? {} : { stats: () => gaugesOf(pool) }
  if (via === 'pool' && pool !== undefined) {
    return { ...base, ...borrowedConnection(pool, statement), ...gauges }
  }
  const mysql = driver()
  let config: object = {}
  try {
    // a pool has read its own
    config = pool?.config.connectionConfig ?? readConfig(mysql, source as string | object)
  } catch {
    // its message can hold the settings
    refuse('mysqlCheck(source)', 'settings that mysql2 can read', 'settings that it cannot (not shown)')
  }
  const make = () => new mysql.Connection({ config: configFor(config) })
  return { ...base, ...ownConnection(() => ownedClient(make(), statement)), ...gauges }
}
