import type { Gauges } from '../vocabulary/check.ts'

/** Whether a pool has callers that wait and no connection for them; undefined where its gauges do not say. */
export function isSaturated({ waiting, idle }: Gauges): boolean | undefined {
  if (typeof waiting !== 'number' || typeof idle !== 'number') return undefined
  return waiting > 0 && idle === 0
}
