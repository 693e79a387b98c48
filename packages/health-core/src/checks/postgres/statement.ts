import type { CheckResult } from '../../vocabulary/check.ts'

/** What is asked, and how its rows are read. Each is one round trip. */
export interface Statement {
  readonly text: string
  read(rows: readonly unknown[]): CheckResult
}

export const ANSWERS: Statement = { text: 'SELECT 1', read: () => true }

/** After a fail-over the old primary, or a standby, answers `on`. */
export const WRITABLE: Statement = {
  text: 'SHOW transaction_read_only',
  read: (rows) => {
    const isReadOnly =
      (rows[0] as { transaction_read_only?: unknown } | undefined)?.transaction_read_only !== 'off'
    return isReadOnly ? { usable: false, code: 'READ_ONLY' } : true
  },
}
