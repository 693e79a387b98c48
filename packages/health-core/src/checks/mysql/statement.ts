import type { CheckResult } from '../../vocabulary/check.ts'

/** What is asked, and how its rows, lists of values, are read. Each is one round trip. */
export interface Statement {
  readonly text: string
  read(rows: readonly (readonly unknown[])[]): CheckResult
}

/** Not the protocol's own ping: proxies answer that by themselves, and a cluster node that is not ready too. */
export const ANSWERS: Statement = { text: 'SELECT 1', read: () => true }

/** Each server knows some of these; a replica of Aurora sets the second. */
export const WRITABLE: Statement = {
  text: "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'innodb_read_only')",
  read: (rows) =>
    rows.length > 0 && rows.every(([, value]) => String(value) === 'OFF' || String(value) === '0')
      ? true
      : { usable: false, code: 'READ_ONLY' },
}
