import type { Gauges } from '../vocabulary/check.ts'

/** Whether callers wait while the pool has no idle connection; undefined when the gauges lack these numbers. */
export function isSaturated({ waiting, idle }: Gauges): boolean | undefined {
  if (typeof waiting !== 'number' || typeof idle !== 'number') return undefined
  return waiting > 0 && idle === 0
}
