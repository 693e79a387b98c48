import type { Check } from '../vocabulary/check.ts'
import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import { postgresCheck } from './postgres/postgres-check.ts'

/** The check of the database that `BALDUR_SQL_DSN` names, or what is wrong with it. The DSN itself is never shown. */
export function databaseFromDsn(dsn: string): Check | ConfigProblem {
  const path = 'BALDUR_SQL_DSN'
  if (dsn.startsWith('mysql://')) {
    return {
      path,
      expected: 'a postgres:// or postgresql:// URL',
      got: 'a mysql:// URL, for which there is no check yet',
    }
  }
  try {
    return postgresCheck(dsn)
  } catch (error) {
    if (!(error instanceof HealthConfigError)) throw error
    const [problem] = error.problems
    return { path, expected: problem?.expected ?? 'a usable driver', got: problem?.got ?? 'none' }
  }
}
