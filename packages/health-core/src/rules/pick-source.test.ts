import { describe, expect, it } from 'vitest'
import { pickSource } from './pick-source.ts'

type Row = readonly [
  own: 'none' | 'stale' | 'fresh',
  fails: boolean,
  shared: 'none' | 'healthy' | 'bad',
  newer: 'own' | 'shared' | '-',
  from: 'own' | 'shared' | 'compute',
]

// own results were seen 5 s ago, the shared ones 3 s or 7 s ago
const ROWS: readonly Row[] = [
  ['none', false, 'none', '-', 'compute'],
  ['none', false, 'healthy', '-', 'shared'],
  ['none', false, 'bad', '-', 'compute'],
  ['stale', false, 'none', '-', 'compute'],
  ['stale', false, 'healthy', 'shared', 'shared'],
  ['stale', false, 'healthy', 'own', 'shared'],
  ['stale', false, 'bad', 'shared', 'compute'],
  ['stale', false, 'bad', 'own', 'compute'],
  ['stale', true, 'none', '-', 'compute'],
  ['stale', true, 'healthy', 'shared', 'compute'],
  ['stale', true, 'healthy', 'own', 'compute'],
  ['stale', true, 'bad', 'shared', 'compute'],
  ['stale', true, 'bad', 'own', 'compute'],
  ['fresh', false, 'none', '-', 'own'],
  ['fresh', false, 'healthy', 'shared', 'shared'],
  ['fresh', false, 'healthy', 'own', 'own'],
  ['fresh', false, 'bad', 'shared', 'compute'],
  ['fresh', false, 'bad', 'own', 'own'],
  ['fresh', true, 'none', '-', 'own'],
  ['fresh', true, 'healthy', 'shared', 'own'],
  ['fresh', true, 'healthy', 'own', 'own'],
  ['fresh', true, 'bad', 'shared', 'own'],
  ['fresh', true, 'bad', 'own', 'own'],
]

describe('where an answer comes from', () => {
  it('has 23 rows: three states of our own, twice where there are any, each with five of the others', () => {
    expect(ROWS).toHaveLength(3 + 2 * 5 * 2)
  })

  it.each(ROWS)('own %s (failing: %s), shared %s, newer: %s -> %s', (own, fails, shared, newer, from) => {
    const sinceMs = own === 'none' ? Number.POSITIVE_INFINITY : 5_000
    const entry =
      shared === 'none'
        ? undefined
        : { sinceMs: newer === 'own' ? 7_000 : 3_000, isHealthy: shared === 'healthy' }
    expect(pickSource({ isFresh: own === 'fresh', sinceMs, fails }, entry)).toBe(from)
  })

  it('never takes bad news, nor good news while it sees a failure of its own', () => {
    for (const [, fails, shared, , from] of ROWS) {
      if (from === 'shared') expect([fails, shared]).toEqual([false, 'healthy'])
    }
  })
})
