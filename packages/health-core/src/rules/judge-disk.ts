import type { CheckResult } from '../vocabulary/check.ts'

/** What a file system says of its space: as `statfs` counts, in blocks and inodes. */
export interface DiskFigures {
  readonly blockBytes: bigint
  readonly blocks: bigint
  readonly freeBlocks: bigint
  /** Without those that are kept for root. */
  readonly availableBlocks: bigint
  /** 0 where the file system has no fixed number. */
  readonly inodes: bigint
  readonly freeInodes: bigint
}

/** What is wanted free at least; what is absent is not asked for. */
export interface DiskLimits {
  readonly minFreeBytes?: number
  readonly minFreePercent?: number
  readonly minFreeInodesPercent?: number
}

/** Whether a part is less than a percentage of the whole, without the rounding of floats. */
const isBelow = (part: bigint, whole: bigint, percent: number): boolean =>
  part * 100n < whole * BigInt(percent)

/** Usable while there is as much space and as many inodes as wanted. The percentage is that of `df`: of what others than root can ever have. */
export function judgeDisk(disk: DiskFigures, wanted: DiskLimits): CheckResult {
  const { availableBlocks, inodes, freeInodes } = disk
  const forAll = disk.blocks - disk.freeBlocks + availableBlocks
  const { minFreeBytes = 0, minFreePercent = 0, minFreeInodesPercent = 0 } = wanted
  const isShort =
    isBelow(availableBlocks, forAll, minFreePercent) ||
    availableBlocks * disk.blockBytes < BigInt(minFreeBytes)
  if (isShort) return { usable: false, code: 'DISK_FULL' }
  if (isBelow(freeInodes, inodes, minFreeInodesPercent)) return { usable: false, code: 'INODES_FULL' }
  return true
}
