import { describe, expect, it } from 'vitest'
import type { Outcome } from '../vocabulary/outcome.ts'
import { problem, timeoutProblem } from './problem.ts'
import { type Overrun, read } from './read.ts'
import { INITIAL_STREAK, type Streak, streak } from './streak.ts'

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  S: { kind: 'usable' },
  U: { kind: 'unusable', problem: problem('NOT_USABLE') },
  E: { kind: 'erred', problem: problem('ECONNREFUSED') },
  T: { kind: 'timed_out', problem: timeoutProblem(2_000) },
}

/** The runs that have ended: S usable, U not usable, E erred, T reached its timeout. */
function after(runs: string, policy: { fall: number; rise: number }): { streak: Streak; latest?: Outcome } {
  const ended = [...runs].reduce((before, run) => streak(before, run === 'S', policy), INITIAL_STREAK)
  const latest = OUTCOMES[runs.at(-1) ?? '']
  return latest === undefined ? { streak: ended } : { streak: ended, latest }
}

const NOW: Overrun = { budgetMs: 500 }
const overdue = (overdueMs: number): Overrun => ({ budgetMs: 500, overdueMs })

type Row = readonly [
  why: string,
  runs: string,
  fall: number,
  rise: number,
  overrun: Overrun | undefined,
  status: string,
  wasUsable: boolean,
]

/** With a timeout of 2000 ms. */
const ROWS: readonly Row[] = [
  ['no run has ended', '', 1, 1, undefined, 'unusable', false],
  ['the first run is usable', 'S', 1, 1, undefined, 'usable', true],
  ['the first run is not usable', 'U', 1, 1, undefined, 'unusable', false],
  ['the first run erred', 'E', 1, 1, undefined, 'unusable', false],
  ['the first run timed out', 'T', 1, 1, undefined, 'timed_out', false],
  ['it was usable and refuses', 'SE', 1, 1, undefined, 'unusable', true],
  ['it was usable and timed out', 'ST', 1, 1, undefined, 'timed_out', true],
  ['it refuses after it timed out', 'STE', 1, 1, undefined, 'unusable', true],
  ['fall not reached', 'SEE', 3, 1, undefined, 'usable', true],
  ['fall not reached by time-outs', 'STT', 3, 1, undefined, 'usable', true],
  ['fall reached by refusals', 'SEEE', 3, 1, undefined, 'unusable', true],
  ['fall reached, the last one a timeout', 'SEET', 3, 1, undefined, 'timed_out', true],
  ['fall reached, the last one a refusal', 'STTE', 3, 1, undefined, 'unusable', true],
  ['fall gives no credit before the first success', 'E', 3, 1, undefined, 'unusable', false],
  ['rise not reached: the last run was usable, the check is not', 'SES', 1, 2, undefined, 'unusable', true],
  ['rise reached', 'SESS', 1, 2, undefined, 'usable', true],

  ['the first run overruns the budget', '', 1, 1, NOW, 'timed_out', false],
  ['a run overruns after a success', 'S', 1, 1, NOW, 'timed_out', true],
  ['a run overruns after a refusal', 'SE', 1, 1, NOW, 'timed_out', true],
  ['a run overruns after a refusal and no success', 'E', 1, 1, NOW, 'timed_out', false],
  ['an overrun counts as one failure', 'S', 3, 1, NOW, 'usable', true],
  ['an overrun after one failure of three', 'SE', 3, 1, NOW, 'usable', true],
  ['an overrun is the last failure of three', 'SEE', 3, 1, NOW, 'timed_out', true],
  ['an overrun breaks a row of successes', 'SES', 1, 2, NOW, 'timed_out', true],

  ['stuck from now on: its timeout was counted', 'ST', 1, 1, overdue(0), 'timed_out', true],
  ['stuck, never usable', 'T', 1, 1, overdue(0), 'timed_out', false],
  ['stuck for less than a timeout more', 'ST', 2, 1, overdue(1_999), 'usable', true],
  ['stuck for one timeout more', 'ST', 2, 1, overdue(2_000), 'timed_out', true],
  ['stuck for one timeout more, fall 3', 'ST', 3, 1, overdue(3_999), 'usable', true],
  ['stuck for two time-outs more, fall 3', 'ST', 3, 1, overdue(4_000), 'timed_out', true],
  ['stuck for a week, fall 100', 'ST', 100, 1, overdue(7 * 86_400_000), 'timed_out', true],
  ['stuck for 98 time-outs more, fall 100', 'ST', 100, 1, overdue(98 * 2_000), 'usable', true],
]

describe('what a check reads', () => {
  it('has 32 rows', () => expect(ROWS).toHaveLength(32))

  it.each(ROWS)('%s (%s, fall %d, rise %d)', (_why, runs, fall, rise, overrun, status, wasUsable) => {
    const reading = read(after(runs, { fall, rise }), { fall, rise, timeoutMs: 2_000 }, overrun)
    expect({ status: reading.status, wasUsable: reading.wasUsable }).toEqual({ status, wasUsable })
  })
})

describe('the latest outcome', () => {
  const policy = { fall: 3, rise: 1, timeoutMs: 2_000 }
  it('is absent before a run has ended', () => {
    expect(read({ streak: INITIAL_STREAK }, policy)).not.toHaveProperty('latest')
  })
  it('is the last run’s own, hysteresis left out', () => {
    expect(read(after('SE', policy), policy).latest).toBe(OUTCOMES.E)
  })
  it('names the budget while the run may still end in time', () => {
    expect(read(after('S', policy), policy, NOW).latest).toEqual({
      kind: 'timed_out',
      problem: { code: 'TIMEOUT', text: 'no answer in 500 ms' },
    })
  })
  it('names the timeout once the run has reached it', () => {
    expect(read(after('ST', policy), policy, overdue(10)).latest).toBe(OUTCOMES.T)
  })
})
