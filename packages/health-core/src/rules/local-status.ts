import type { Reading } from '../vocabulary/reading.ts'

/** The status of one check in this process: `unknown` before its first run, `settling` while `fall` or `rise` is not reached yet. */
export type LocalStatus = 'unknown' | 'up' | 'down' | 'settling'

export function localStatus({ status, latest }: Reading): LocalStatus {
  if (latest === undefined) return 'unknown'
  if (status === 'usable') return latest.kind === 'usable' ? 'up' : 'settling'
  return latest.kind === 'usable' ? 'settling' : 'down'
}

/** Whether another process's failures match the local statuses, so that its results bring nothing new. */
export const matchesLocal = (
  statuses: Readonly<Record<string, LocalStatus>>,
  failing: readonly string[],
): boolean =>
  Object.entries(statuses).every(
    ([name, status]) => status !== 'settling' && (status === 'down') === failing.includes(name),
  )
