import type { Check } from '../vocabulary/check.ts'
import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import { mysqlCheck } from './mysql/mysql-check.ts'
import { postgresCheck } from './postgres/postgres-check.ts'

/** The check of the database that `BALDUR_SQL_DSN` names, or what is wrong with it. The DSN itself is never shown. */
export function databaseFromDsn(dsn: string): Check | ConfigProblem {
  try {
    return dsn.startsWith('mysql://') ? mysqlCheck(dsn) : postgresCheck(dsn)
  } catch (error) {
    const [problem] = error instanceof HealthConfigError ? error.problems : []
    if (problem === undefined) throw error
    return { ...problem, path: 'BALDUR_SQL_DSN' }
  }
}
