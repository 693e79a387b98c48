import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AttemptOutcome, isRetried } from './is-retried.ts'

const tries = { attempt: 1, releasedTakes: 0, attempts: 10, noRetry: false }
const answered = (status: number, needsRetry?: boolean): AttemptOutcome => ({
  kind: 'answered',
  status,
  needsRetry,
})
const failed = (needsRetry?: boolean): AttemptOutcome => ({ kind: 'failed', needsRetry })

const ROWS: readonly (readonly [what: string, outcome: AttemptOutcome, isRetried: boolean])[] = [
  ...[200, 201, 202, 204, 299].map((status) => [`${status}`, answered(status), false] as const),
  ...[300, 301, 304, 399].map((status) => [`${status}`, answered(status), false] as const),
  ...[400, 404, 408, 429, 499].map((status) => [`${status}`, answered(status), false] as const),
  ...[500, 501, 502, 505, 507, 599].map((status) => [`${status}`, answered(status), false] as const),
  ['503', answered(503), true],
  ['504', answered(504), true],
  ['a broken connection or an answer that took too long', failed(), true],
  ['what no runner can be given', { kind: 'unsendable' }, false],
  ['a broken answer whose head forbade it', failed(false), false],
  ['a broken answer whose head asked for it', failed(true), true],
  ...[200, 302, 400, 429, 500, 502, 503, 504].flatMap((status) => [
    [`${status} that asks for it`, answered(status, true), true] as const,
    [`${status} that forbids it`, answered(status, false), false] as const,
  ]),
]

describe('another attempt at a queued request', () => {
  it.each(ROWS)('after %s', (_what, outcome, expected) => {
    expect(isRetried(outcome, tries)).toBe(expected)
  })

  it('has a row for every kind of answer, asked for, forbidden and left open', () => {
    expect(ROWS).toHaveLength(42)
  })

  it.each(ROWS)('never comes after %s where the caller wants one, or they are used up', (_what, outcome) => {
    expect(isRetried(outcome, { ...tries, noRetry: true })).toBe(false)
    expect(isRetried(outcome, { ...tries, attempt: 10 })).toBe(false)
    expect(isRetried(outcome, { ...tries, attempt: 9 })).toBe(isRetried(outcome, tries))
  })

  it('what no runner had is tried again whatever the caller wants, as often as there are attempts', () => {
    const releasedTakes: AttemptOutcome = { kind: 'not_begun' }
    expect(isRetried(releasedTakes, { ...tries, noRetry: true })).toBe(true)
    expect(isRetried(releasedTakes, { ...tries, attempt: 10 })).toBe(true)
    expect(isRetried(releasedTakes, { ...tries, releasedTakes: 8 })).toBe(true)
    expect(isRetried(releasedTakes, { ...tries, releasedTakes: 9 })).toBe(false)
  })

  it('begins at most as often as there are attempts, whatever is answered', () => {
    const outcome = fc.oneof(
      fc.record({
        kind: fc.constant('answered' as const),
        status: fc.integer({ min: 200, max: 599 }),
        needsRetry: fc.option(fc.boolean(), { nil: undefined }),
      }),
      fc.record({ kind: fc.constant('failed' as const), needsRetry: fc.constant(true) }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.infiniteStream(outcome), (attempts, outcomes) => {
        let attempt = 1
        for (const each of outcomes) {
          if (!isRetried(each, { ...tries, attempt, attempts })) break
          attempt += 1
        }
        expect(attempt).toBeLessThanOrEqual(attempts)
      }),
    )
  })
})
