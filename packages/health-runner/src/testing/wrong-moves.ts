import type { RunnerEvent } from '../vocabulary/fleet.ts'

type From = NonNullable<RunnerEvent['from']> | 'nothing'

/** Where a runner may go from each state. */
const MOVES: Readonly<Record<From, readonly RunnerEvent['to'][]>> = {
  nothing: ['crash_backoff', 'starting'],
  crash_backoff: ['starting', 'gone'],
  starting: ['setup', 'idle', 'terminating', 'gone'],
  setup: ['idle', 'terminating', 'gone'],
  idle: ['running', 'terminating', 'gone'],
  running: ['idle', 'draining', 'terminating', 'gone'],
  draining: ['terminating', 'gone'],
  terminating: ['gone'],
}

const LEAVING: readonly string[] = ['draining', 'terminating', 'gone']

/** The events that do not follow from those before them, or leave without a reason. */
export function wrongMoves(events: readonly RunnerEvent[]): readonly RunnerEvent[] {
  const states = new Map<string, RunnerEvent['to']>()
  return events.filter(({ name, from, to, reason }) => {
    const isRight = states.get(name) === from && MOVES[from ?? 'nothing'].includes(to)
    states.set(name, to)
    return !isRight || LEAVING.includes(to) !== (reason !== undefined)
  })
}
