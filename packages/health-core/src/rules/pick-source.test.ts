import { describe, expect, it } from 'vitest'
import { pickSource } from './pick-source.ts'

type Row = readonly [
  own: 'none' | 'stale' | 'fresh',
  sees: 'well' | 'down' | 'moving',
  shared: 'none' | 'agrees' | 'differs',
  newer: 'own' | 'shared' | '-',
  from: 'own' | 'shared' | 'compute',
]

// own results were seen 5 s ago, the shared ones 3 s or 7 s ago
const ROWS: readonly Row[] = [
  ['none', 'well', 'none', '-', 'compute'],
  ['none', 'well', 'agrees', '-', 'shared'],
  ['none', 'well', 'differs', '-', 'compute'],
  ['stale', 'well', 'none', '-', 'compute'],
  ['stale', 'well', 'agrees', 'shared', 'shared'],
  ['stale', 'well', 'agrees', 'own', 'shared'],
  ['stale', 'well', 'differs', 'shared', 'compute'],
  ['stale', 'well', 'differs', 'own', 'compute'],
  ['stale', 'down', 'none', '-', 'compute'],
  ['stale', 'down', 'agrees', 'shared', 'shared'],
  ['stale', 'down', 'agrees', 'own', 'shared'],
  ['stale', 'down', 'differs', 'shared', 'compute'],
  ['stale', 'down', 'differs', 'own', 'compute'],
  ['stale', 'moving', 'none', '-', 'compute'],
  ['stale', 'moving', 'differs', 'shared', 'compute'],
  ['stale', 'moving', 'differs', 'own', 'compute'],
  ['fresh', 'well', 'none', '-', 'own'],
  ['fresh', 'well', 'agrees', 'shared', 'shared'],
  ['fresh', 'well', 'agrees', 'own', 'own'],
  ['fresh', 'well', 'differs', 'shared', 'compute'],
  ['fresh', 'well', 'differs', 'own', 'own'],
  ['fresh', 'down', 'none', '-', 'own'],
  ['fresh', 'down', 'agrees', 'shared', 'shared'],
  ['fresh', 'down', 'agrees', 'own', 'own'],
  ['fresh', 'down', 'differs', 'shared', 'own'],
  ['fresh', 'down', 'differs', 'own', 'own'],
  ['fresh', 'moving', 'none', '-', 'own'],
  ['fresh', 'moving', 'differs', 'shared', 'own'],
  ['fresh', 'moving', 'differs', 'own', 'own'],
]

describe('where an answer comes from', () => {
  it('has 29 rows: what is moving agrees with nothing', () => {
    expect(ROWS).toHaveLength(3 + 2 * (2 * 5 + 3))
  })

  it.each(ROWS)('own %s (sees %s), shared %s, newer: %s -> %s', (own, sees, shared, newer, from) => {
    const sinceMs = own === 'none' ? Number.POSITIVE_INFINITY : 5_000
    const entry =
      shared === 'none'
        ? undefined
        : { sinceMs: newer === 'own' ? 7_000 : 3_000, agrees: shared === 'agrees' }
    const seen = { isFresh: own === 'fresh', sinceMs, fails: sees === 'down', isMoving: sees === 'moving' }
    expect(pickSource(seen, entry)).toBe(from)
  })

  it('never takes what it would not see itself', () => {
    for (const [, , shared, , from] of ROWS) if (from === 'shared') expect(shared).toBe('agrees')
  })
})
