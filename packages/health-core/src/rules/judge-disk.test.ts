import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DiskFigures, type DiskLimits, judgeDisk } from './judge-disk.ts'

const disk = (figures: Partial<DiskFigures>): DiskFigures => ({
  blockBytes: 4_096n,
  blocks: 1_000n,
  freeBlocks: 500n,
  availableBlocks: 500n,
  inodes: 1_000n,
  freeInodes: 500n,
  ...figures,
})
const FULL = { usable: false, code: 'DISK_FULL' }
const NO_INODES = { usable: false, code: 'INODES_FULL' }

const ROWS: readonly (readonly [what: string, Partial<DiskFigures>, DiskLimits, unknown])[] = [
  ['nothing wanted', { availableBlocks: 0n, freeBlocks: 0n, freeInodes: 0n }, {}, true],
  ['half free, half wanted', {}, { minFreePercent: 50 }, true],
  ['half free, more wanted', {}, { minFreePercent: 51 }, FULL],
  // 500 of 1000 used and 50 kept for root: 450 of 950 can be had
  ['what is kept for root is nobody’s', { availableBlocks: 450n }, { minFreePercent: 48 }, FULL],
  ['as df counts it', { availableBlocks: 450n }, { minFreePercent: 47 }, true],
  ['bytes to the last', {}, { minFreeBytes: 500 * 4_096 }, true],
  ['a byte short', {}, { minFreeBytes: 500 * 4_096 + 1 }, FULL],
  ['both wanted, one short', {}, { minFreePercent: 1, minFreeBytes: 1e15 }, FULL],
  ['inodes to the last', {}, { minFreeInodesPercent: 50 }, true],
  ['an inode short', { freeInodes: 499n }, { minFreeInodesPercent: 50 }, NO_INODES],
  ['no number of inodes', { inodes: 0n, freeInodes: 0n }, { minFreeInodesPercent: 100 }, true],
  [
    'an empty kind of file system',
    { blocks: 0n, freeBlocks: 0n, availableBlocks: 0n },
    { minFreePercent: 10 },
    true,
  ],
  ['space is told before inodes', { freeInodes: 0n }, { minFreePercent: 100, minFreeInodesPercent: 1 }, FULL],
]

it('has 13 rows', () => expect(ROWS).toHaveLength(13))

it.each(ROWS)('%s', (_what, figures, limits, judged) => {
  expect(judgeDisk(disk(figures), limits)).toEqual(judged)
})

it('never turns usable by less space, on a disk of any size', () => {
  const size = fc.bigInt({ min: 1n, max: 1n << 60n })
  fc.assert(
    fc.property(size, size, size, fc.integer({ min: 0, max: 100 }), (blocks, one, other, minFreePercent) => {
      const [less, more] = [one % (blocks + 1n), other % (blocks + 1n)].sort((a, b) => (a < b ? -1 : 1))
      const judge = (free = 0n): unknown =>
        judgeDisk(disk({ blocks, freeBlocks: free, availableBlocks: free }), { minFreePercent })
      if (judge(less) === true) expect(judge(more)).toBe(true)
    }),
  )
})
