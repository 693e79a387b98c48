export type { MysqlConnection } from './checks/mysql/driver.ts'
export { type MysqlCheckOptions, mysqlCheck } from './checks/mysql/mysql-check.ts'
export type { MysqlPool } from './checks/mysql/pool.ts'
