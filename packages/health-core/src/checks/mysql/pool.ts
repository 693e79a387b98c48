import type { Gauges } from '../../vocabulary/check.ts'
import type { Done, MysqlClient } from './driver.ts'

export type BorrowedClient = MysqlClient & { release(): void }

/** What the check needs of a pool with callbacks, beneath the public type of both. */
export interface CorePool {
  readonly config: { readonly connectionConfig: object; readonly connectionLimit?: number }
  getConnection(done: Done<BorrowedClient>): void
}

/** A pool of `mysql2`, or of `mysql2/promise`. */
export interface MysqlPool {
  // biome-ignore lint/suspicious/noExplicitAny: the two pools share this name and no type of it
  getConnection(...args: any[]): unknown
  // biome-ignore lint/suspicious/noExplicitAny: as above
  end(...args: any[]): unknown
}

const isCorePool = (source: unknown): source is CorePool =>
  typeof source === 'object' &&
  source !== null &&
  typeof (source as CorePool).getConnection === 'function' &&
  typeof (source as CorePool).config?.connectionConfig === 'object'

/** The pool with callbacks, which the one with promises holds; undefined when it is none. */
export function corePoolOf(source: unknown): CorePool | undefined {
  if (isCorePool(source)) return source
  const inner = (source as { pool?: unknown } | null | undefined)?.pool
  return isCorePool(inner) ? inner : undefined
}

const lengthOf = (queue: unknown): number | undefined => {
  const { length } = (queue ?? {}) as { length?: unknown }
  return typeof length === 'number' ? length : undefined
}

/** The driver counts in private fields only; one that is not there is left out. */
export function gaugesOf(pool: CorePool): Gauges {
  const { _allConnections, _freeConnections, _connectionQueue } = pool as unknown as Record<string, unknown>
  const gauges = {
    total: lengthOf(_allConnections),
    idle: lengthOf(_freeConnections),
    waiting: lengthOf(_connectionQueue),
    // 0 is no limit
    max: pool.config.connectionLimit || undefined,
  }
  return Object.fromEntries(
    Object.entries(gauges).filter((entry): entry is [string, number] => entry[1] !== undefined),
  )
}
