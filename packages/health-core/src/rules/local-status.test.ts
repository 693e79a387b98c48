import { describe, expect, it } from 'vitest'
import type { Outcome } from '../vocabulary/outcome.ts'
import { type LocalStatus, localStatus, matchesLocal } from './local-status.ts'
import { problem } from './problem.ts'

const GOOD: Outcome = { kind: 'usable' }
const BAD: Outcome = { kind: 'unusable', problem: problem('ECONNREFUSED') }
const LATE: Outcome = { kind: 'timed_out', problem: problem('TIMEOUT') }

describe('the local status of a check', () => {
  it.each([
    ['unknown', 'unusable', undefined],
    ['up', 'usable', GOOD],
    ['settling', 'usable', BAD],
    ['settling', 'usable', LATE],
    ['settling', 'unusable', GOOD],
    ['down', 'unusable', BAD],
    ['down', 'timed_out', LATE],
  ] as const)('local status is %s when a check reads %s and its last run was %j', (view, status, latest) => {
    expect(localStatus({ status, wasUsable: true, ...(latest && { latest }) })).toBe(view)
  })
})

describe('results of another process', () => {
  it.each<[LocalStatus, LocalStatus, readonly string[], boolean]>([
    ['unknown', 'unknown', [], true],
    ['up', 'up', [], true],
    ['up', 'unknown', [], true],
    ['up', 'up', ['mail'], false],
    ['up', 'unknown', ['mail'], false],
    ['up', 'down', ['mail'], true],
    ['up', 'down', [], false],
    ['up', 'down', ['database'], false],
    ['up', 'down', ['database', 'mail'], false],
    ['down', 'down', ['database', 'mail'], true],
    ['up', 'settling', [], false],
    ['up', 'settling', ['mail'], false],
    ['settling', 'down', ['mail'], false],
  ])('local database %s and mail %s, remote failures %j: matches %s', (database, mail, failing, is) => {
    expect(matchesLocal({ database, mail }, failing)).toBe(is)
  })
})
