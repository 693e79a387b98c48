export type { PostgresConnection, PostgresPool } from './checks/postgres/driver.ts'
export { type PostgresCheckOptions, postgresCheck } from './checks/postgres/postgres-check.ts'
