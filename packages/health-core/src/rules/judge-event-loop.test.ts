import { expect, it } from 'vitest'
import { judgeEventLoop, type LoopFigures } from './judge-event-loop.ts'

const LIMITS = { maxDelayMs: 1_000, maxUtilizationPercent: 95 }
const BLOCKED = { usable: false, code: 'EVENT_LOOP_BLOCKED' }
const BUSY = { usable: false, code: 'EVENT_LOOP_BUSY' }

const ROWS: readonly (readonly [LoopFigures, unknown])[] = [
  [{ delayMs: 0 }, true],
  [{ delayMs: 999.9 }, true],
  [{ delayMs: 1_000 }, BLOCKED],
  [{ delayMs: 60_000, utilization: 1 }, BLOCKED],
  [{ delayMs: 0, utilization: undefined }, true],
  [{ delayMs: 0, utilization: 0.9499 }, true],
  [{ delayMs: 0, utilization: 0.95 }, BUSY],
  [{ delayMs: 999, utilization: 1 }, BUSY],
]

it('the judgeEventLoop table has 8 rows', () => expect(ROWS).toHaveLength(8))
it.each(ROWS)('judgeEventLoop(%j)', (figures, judged) =>
  expect(judgeEventLoop(figures, LIMITS)).toEqual(judged),
)
