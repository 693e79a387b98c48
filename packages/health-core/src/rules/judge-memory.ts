import type { CheckResult } from '../vocabulary/check.ts'

/** How much of a limit is used, in bytes. */
export interface Usage {
  readonly used: number
  readonly limit: number
}

/** What memory was seen to be. */
export interface MemoryFigures {
  readonly heap: Usage
  /** Of the control group and of those above it, each that has a limit. */
  readonly groups: readonly Usage[]
}

/** Usable while neither the heap nor a control group uses that much of its limit. */
export function judgeMemory({ heap, groups }: MemoryFigures, maxPercent: number): CheckResult {
  const isShort = ({ used, limit }: Usage): boolean => used * 100 >= limit * maxPercent
  if (isShort(heap)) return { usable: false, code: 'HEAP_HIGH' }
  if (groups.some(isShort)) return { usable: false, code: 'MEMORY_HIGH' }
  return true
}
