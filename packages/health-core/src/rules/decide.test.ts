import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Reading } from '../vocabulary/reading.ts'
import { decidePool, decideReadiness, decideVerdict, type FailDirection, type Weight } from './decide.ts'
import { problem, timeoutProblem } from './problem.ts'

const STATUSES = ['usable', 'unusable', 'timed_out'] as const satisfies readonly Reading['status'][]
const DIRECTIONS = ['not_ready', 'ready'] as const satisfies readonly FailDirection[]
const WEIGHTS = ['unhealthy', 'degraded'] as const satisfies readonly Weight[]

const seen = fc.record({
  name: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '_'), minLength: 1, maxLength: 8 }),
  reading: fc.record({ status: fc.constantFrom(...STATUSES), wasUsable: fc.boolean() }),
  weight: fc.constantFrom(...WEIGHTS),
})
const seenList = fc.uniqueArray(seen, { selector: ({ name }) => name, maxLength: 6 })

describe('readiness of one check', () => {
  type Row = readonly [
    status: Reading['status'],
    wasUsable: boolean,
    direction: FailDirection,
    answer: string,
    check: string,
  ]
  const ROWS: readonly Row[] = [
    ['usable', true, 'not_ready', 'ready', 'ready'],
    ['usable', true, 'ready', 'ready', 'ready'],
    ['usable', false, 'not_ready', 'ready', 'ready'],
    ['usable', false, 'ready', 'ready', 'ready'],
    ['unusable', true, 'not_ready', 'not_ready', 'not_ready'],
    ['unusable', true, 'ready', 'not_ready', 'not_ready'],
    ['unusable', false, 'not_ready', 'not_ready', 'not_ready'],
    ['unusable', false, 'ready', 'not_ready', 'not_ready'],
    ['timed_out', true, 'not_ready', 'not_ready', 'timed_out'],
    ['timed_out', true, 'ready', 'ready', 'timed_out'],
    ['timed_out', false, 'not_ready', 'not_ready', 'timed_out'],
    ['timed_out', false, 'ready', 'not_ready', 'timed_out'],
  ]

  it('has a row for every status, history and fail direction', () => {
    expect(ROWS).toHaveLength(STATUSES.length * 2 * DIRECTIONS.length)
    expect(new Set(ROWS.map((row) => row.slice(0, 3).join())).size).toBe(ROWS.length)
  })

  it.each(ROWS)('%s, was usable %s, fail direction %s: %s', (status, wasUsable, direction, answer, check) => {
    expect(decideReadiness([{ name: 'a', reading: { status, wasUsable } }], direction)).toEqual({
      status: answer,
      checks: { a: check },
    })
  })
})

describe('readiness of several checks', () => {
  it('is ready with none', () => {
    expect(decideReadiness([], 'not_ready')).toEqual({ status: 'ready', checks: {} })
  })

  it('is ready exactly when each alone is, and shows each as it would alone, in order', () => {
    fc.assert(
      fc.property(seenList, fc.constantFrom(...DIRECTIONS), (all, direction) => {
        const together = decideReadiness(all, direction)
        const alone = all.map((one) => decideReadiness([one], direction))
        expect(together.status).toBe(alone.every(({ status }) => status === 'ready') ? 'ready' : 'not_ready')
        expect(together.checks).toEqual(Object.assign({}, ...alone.map(({ checks }) => checks)))
      }),
    )
  })

  it('the fail direction ready never makes an answer worse', () => {
    fc.assert(
      fc.property(seenList, (all) => {
        if (decideReadiness(all, 'not_ready').status === 'ready') {
          expect(decideReadiness(all, 'ready').status).toBe('ready')
        }
      }),
    )
  })

  it('shows a check with a name that every object has', () => {
    const { checks } = decideReadiness(
      [{ name: '__proto__', reading: { status: 'unusable', wasUsable: true } }],
      'ready',
    )
    expect(JSON.stringify(checks)).toBe('{"__proto__":"not_ready"}')
  })
})

describe('verdict on one check', () => {
  type Row = readonly [
    status: Reading['status'],
    wasUsable: boolean,
    weight: Weight,
    verdict: string,
    check: string,
  ]
  const ROWS: readonly Row[] = [
    ['usable', true, 'unhealthy', 'healthy', 'healthy'],
    ['usable', true, 'degraded', 'healthy', 'healthy'],
    ['usable', false, 'unhealthy', 'healthy', 'healthy'],
    ['usable', false, 'degraded', 'healthy', 'healthy'],
    ['unusable', true, 'unhealthy', 'unhealthy', 'unhealthy'],
    ['unusable', true, 'degraded', 'degraded', 'unhealthy'],
    ['unusable', false, 'unhealthy', 'unhealthy', 'unhealthy'],
    ['unusable', false, 'degraded', 'degraded', 'unhealthy'],
    ['timed_out', true, 'unhealthy', 'unhealthy', 'timed_out'],
    ['timed_out', true, 'degraded', 'degraded', 'timed_out'],
    ['timed_out', false, 'unhealthy', 'unhealthy', 'timed_out'],
    ['timed_out', false, 'degraded', 'degraded', 'timed_out'],
  ]

  it('has a row for every status, history and weight', () => {
    expect(ROWS).toHaveLength(STATUSES.length * 2 * WEIGHTS.length)
    expect(new Set(ROWS.map((row) => row.slice(0, 3).join())).size).toBe(ROWS.length)
  })

  it.each(ROWS)('%s, was usable %s, weighs %s: %s', (status, wasUsable, weight, verdict, check) => {
    const one = { name: 'a', reading: { status, wasUsable }, weight }
    const causes = verdict === 'healthy' ? [] : ['a']
    expect(decideVerdict([one], { isEmpty: false })).toEqual({
      status: verdict,
      checks: { a: check },
      causes,
    })
    // nothing that counts is configured: that is not healthy, whatever the others read
    expect(decideVerdict([one], { isEmpty: true })).toEqual({
      status: 'unhealthy',
      checks: { a: check },
      causes,
    })
  })
})

describe('verdict on several checks', () => {
  it('is unhealthy with none, though nothing has failed', () => {
    expect(decideVerdict([], { isEmpty: true })).toEqual({ status: 'unhealthy', checks: {}, causes: [] })
  })

  it('is the worst of what each alone gives; the causes are those that are not healthy, in order', () => {
    const RANK = ['healthy', 'degraded', 'unhealthy']
    fc.assert(
      fc.property(seenList, (all) => {
        const together = decideVerdict(all, { isEmpty: false })
        const alone = all.map((one) => decideVerdict([one], { isEmpty: false }))
        const worst = Math.max(0, ...alone.map(({ status }) => RANK.indexOf(status)))
        expect(together.status).toBe(RANK[worst])
        expect(together.causes).toEqual(alone.flatMap(({ causes }) => causes))
        expect(together.checks).toEqual(Object.assign({}, ...alone.map(({ checks }) => checks)))
      }),
    )
  })
})

describe('pool', () => {
  const LATEST: readonly (readonly [
    outcome: Outcome | undefined,
    status: string,
    shown: string | undefined,
  ])[] = [
    [{ kind: 'usable' }, 'healthy', undefined],
    [{ kind: 'unusable', problem: problem('READ_ONLY') }, 'degraded', 'READ_ONLY'],
    [{ kind: 'timed_out', problem: timeoutProblem(2_000) }, 'degraded', 'TIMEOUT'],
    [{ kind: 'erred', problem: problem('ECONNREFUSED') }, 'error', 'ECONNREFUSED'],
    [undefined, 'degraded', 'NOT_CHECKED'],
  ]
  const ROWS = LATEST.flatMap(([latest, answer, shown]) =>
    STATUSES.flatMap((status) =>
      [true, false].map((wasUsable) => ({
        title: `last run ${latest?.kind ?? 'absent'}, ${status} by hysteresis, was usable ${wasUsable}`,
        reading: latest === undefined ? { status, wasUsable } : { status, wasUsable, latest },
        answer,
        shown,
      })),
    ),
  )
  const gauges = { total: 3, idle: 2, waiting: 0, max: 10 }

  it('has a row for every last run, status and history', () => {
    expect(ROWS).toHaveLength(5 * STATUSES.length * 2)
  })

  it.each(ROWS)('$title: $answer', ({ reading, answer, shown }) => {
    const pool = decidePool({ alias: 'main', vendor: 'postgresql', reading, gauges })
    const { outcome, ...rest } = pool
    expect(rest).toEqual({
      status: answer,
      alias: 'main',
      vendor: 'postgresql',
      isUsable: answer === 'healthy',
      gauges,
    })
    expect(outcome?.problem.code).toBe(shown)
    expect('outcome' in pool).toBe(shown !== undefined)
  })

  it('without a database is degraded and says so', () => {
    expect(decidePool(undefined)).toEqual({
      status: 'degraded',
      alias: 'default',
      vendor: 'none',
      isUsable: false,
      gauges: {},
      outcome: { kind: 'unusable', problem: { code: 'NO_DATABASE', text: 'no database configured' } },
    })
  })
})
