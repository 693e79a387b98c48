import { describe, expect, it } from 'vitest'
import type { RunnerEvent } from '../vocabulary/fleet.ts'
import { isSaidByEvents, printGuard, printRunner } from './print-event.ts'

const event = (more: Partial<RunnerEvent>): RunnerEvent => ({
  ...{ name: '1.2', pid: 42, from: 'running', to: 'draining' },
  ...more,
})

describe('the line of a runner’s change', () => {
  it.each<[Partial<RunnerEvent>, string]>([
    [{ from: undefined, to: 'starting' }, 'runner 1.2 (pid 42): starting'],
    [{ from: 'starting', to: 'setup' }, 'runner 1.2 (pid 42): starting -> setup'],
    [{ from: 'setup', to: 'idle' }, 'runner 1.2 (pid 42): setup -> idle'],
    [{ reason: 'timed_out' }, 'runner 1.2 (pid 42): running -> draining, timed_out'],
    [
      { from: 'idle', to: 'gone', reason: 'exited', detail: 'code 0' },
      'runner 1.2 (pid 42): idle -> gone, exited: code 0',
    ],
    // why it leaves is said once
    [
      { from: 'draining', to: 'terminating', reason: 'timed_out', detail: 'over 60000 ms' },
      'runner 1.2 (pid 42): draining -> terminating',
    ],
    [
      { from: 'terminating', to: 'gone', reason: 'timed_out', detail: 'code 0' },
      'runner 1.2 (pid 42): terminating -> gone, code 0',
    ],
    [{ pid: undefined, from: 'starting', to: 'crash_backoff' }, 'runner 1.2: starting -> crash_backoff'],
    [
      { to: 'terminating', reason: 'setup_failed', detail: 'Error:\n  no\r\n licence' },
      'runner 1.2 (pid 42): running -> terminating, setup_failed: Error: no licence',
    ],
    [{ detail: '' }, 'runner 1.2 (pid 42): running -> draining'],
  ])('%j', (more, line) => expect(printRunner(event(more), false)).toBe(line))

  it('is not there for a request that begins or ends, unless all lines are wanted', () => {
    const [begins, ends] = [event({ from: 'idle', to: 'running' }), event({ from: 'running', to: 'idle' })]
    expect([printRunner(begins, false), printRunner(ends, false)]).toEqual([undefined, undefined])
    expect(printRunner(begins, true)).toBe('runner 1.2 (pid 42): idle -> running')
  })
})

it('the line of the guard says who, why and how many', () => {
  expect(printGuard({ name: '2.1', reason: 'answered_503', ended: 1, allowed: 1 })).toBe(
    'guard: runner 2.1 is kept, though it answered 503: 1 of 1 endings that are allowed have been; it serves when no other is free',
  )
})

it.each([
  ['runner 1.1: timed_out: longer than 60000 ms', true],
  ['runner 1.1: answered_503, but it is held: 1 of at most 1 were ended within 300000 ms', true],
  ['runner 1.1: it is well again, and no longer held', false],
  ['runner: the control socket: broken', false],
  ['drain: begins (SIGTERM), 0 in flight', false],
])('the line %j of the log is left out where events say it: %j', (line, isSaid) =>
  expect(isSaidByEvents(line)).toBe(isSaid),
)
