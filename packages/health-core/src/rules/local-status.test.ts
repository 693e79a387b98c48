import { describe, expect, it } from 'vitest'
import type { Outcome } from '../vocabulary/outcome.ts'
import { agrees, type OwnView, ownView } from './own-view.ts'
import { problem } from './problem.ts'

const GOOD: Outcome = { kind: 'usable' }
const BAD: Outcome = { kind: 'unusable', problem: problem('ECONNREFUSED') }
const LATE: Outcome = { kind: 'timed_out', problem: problem('TIMEOUT') }

describe('how a process sees a check', () => {
  it.each([
    ['unseen', 'unusable', undefined],
    ['sound', 'usable', GOOD],
    ['moving', 'usable', BAD],
    ['moving', 'usable', LATE],
    ['moving', 'unusable', GOOD],
    ['down', 'unusable', BAD],
    ['down', 'timed_out', LATE],
  ] as const)('%s: reads %s, and its last run was %j', (view, status, latest) => {
    expect(ownView({ status, wasUsable: true, ...(latest && { latest }) })).toBe(view)
  })
})

describe('what another process has seen', () => {
  it.each<[OwnView, OwnView, readonly string[], boolean]>([
    ['unseen', 'unseen', [], true],
    ['sound', 'sound', [], true],
    ['sound', 'unseen', [], true],
    ['sound', 'sound', ['mail'], false],
    ['sound', 'unseen', ['mail'], false],
    ['sound', 'down', ['mail'], true],
    ['sound', 'down', [], false],
    ['sound', 'down', ['database'], false],
    ['sound', 'down', ['database', 'mail'], false],
    ['down', 'down', ['database', 'mail'], true],
    ['sound', 'moving', [], false],
    ['sound', 'moving', ['mail'], false],
    ['moving', 'down', ['mail'], false],
  ])('to one that sees the database %s and mail %s: failing %j agrees: %s', (database, mail, failing, is) => {
    expect(agrees({ database, mail }, failing)).toBe(is)
  })
})
