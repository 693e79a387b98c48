import { describe, expect, it } from 'vitest'
import { pickSource } from './pick-source.ts'

type Row = readonly [
  own: 'none' | 'stale' | 'fresh',
  sees: 'up' | 'down' | 'settling',
  shared: 'none' | 'agrees' | 'differs',
  newer: 'own' | 'shared' | '-',
  from: 'own' | 'shared' | 'compute',
]

// own results were seen 5 s ago, the shared ones 3 s or 7 s ago
const ROWS: readonly Row[] = [
  ['none', 'up', 'none', '-', 'compute'],
  ['none', 'up', 'agrees', '-', 'shared'],
  ['none', 'up', 'differs', '-', 'compute'],
  ['stale', 'up', 'none', '-', 'compute'],
  ['stale', 'up', 'agrees', 'shared', 'shared'],
  ['stale', 'up', 'agrees', 'own', 'shared'],
  ['stale', 'up', 'differs', 'shared', 'compute'],
  ['stale', 'up', 'differs', 'own', 'compute'],
  ['stale', 'down', 'none', '-', 'compute'],
  ['stale', 'down', 'agrees', 'shared', 'shared'],
  ['stale', 'down', 'agrees', 'own', 'shared'],
  ['stale', 'down', 'differs', 'shared', 'compute'],
  ['stale', 'down', 'differs', 'own', 'compute'],
  ['stale', 'settling', 'none', '-', 'compute'],
  ['stale', 'settling', 'differs', 'shared', 'compute'],
  ['stale', 'settling', 'differs', 'own', 'compute'],
  ['fresh', 'up', 'none', '-', 'own'],
  ['fresh', 'up', 'agrees', 'shared', 'shared'],
  ['fresh', 'up', 'agrees', 'own', 'own'],
  ['fresh', 'up', 'differs', 'shared', 'compute'],
  ['fresh', 'up', 'differs', 'own', 'own'],
  ['fresh', 'down', 'none', '-', 'own'],
  ['fresh', 'down', 'agrees', 'shared', 'shared'],
  ['fresh', 'down', 'agrees', 'own', 'own'],
  ['fresh', 'down', 'differs', 'shared', 'own'],
  ['fresh', 'down', 'differs', 'own', 'own'],
  ['fresh', 'settling', 'none', '-', 'own'],
  ['fresh', 'settling', 'differs', 'shared', 'own'],
  ['fresh', 'settling', 'differs', 'own', 'own'],
]

describe('the source of an answer', () => {
  it('the source table has 29 rows: a settling check matches no shared entry', () => {
    expect(ROWS).toHaveLength(3 + 2 * (2 * 5 + 3))
  })

  it.each(ROWS)('own %s (sees %s), shared %s, newer: %s -> %s', (own, sees, shared, newer, from) => {
    const sinceMs = own === 'none' ? Number.POSITIVE_INFINITY : 5_000
    const entry =
      shared === 'none'
        ? undefined
        : { sinceMs: newer === 'own' ? 7_000 : 3_000, matchesLocal: shared === 'agrees' }
    const seen = {
      isFresh: own === 'fresh',
      sinceMs,
      hasFailure: sees === 'down',
      isSettling: sees === 'settling',
    }
    expect(pickSource(seen, entry)).toBe(from)
  })

  it('an answer never comes from shared results that this process would not see itself', () => {
    for (const [, , shared, , from] of ROWS) if (from === 'shared') expect(shared).toBe('agrees')
  })
})
