import { expect, it } from 'vitest'
import type { Gauges } from '../vocabulary/check.ts'
import { isSaturated } from './judge-pool.ts'

const ROWS: readonly (readonly [Gauges, boolean | undefined])[] = [
  [{ total: 0, idle: 0, waiting: 0 }, false],
  [{ total: 10, idle: 0, waiting: 0 }, false],
  [{ total: 10, idle: 0, waiting: 1 }, true],
  [{ total: 10, idle: 1, waiting: 3 }, false],
  [{ idle: 0, waiting: 1 }, true],
  [{ idle: 0 }, undefined],
  [{ waiting: 1 }, undefined],
  [{ idle: '0', waiting: '1' }, undefined],
  [{}, undefined],
]

it('has 9 rows', () => expect(ROWS).toHaveLength(9))
it.each(ROWS)('%j: %s', (gauges, saturated) => expect(isSaturated(gauges)).toBe(saturated))
