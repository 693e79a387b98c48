import { expect, test } from 'vitest'
import { stateOf } from '../testing/state.ts'
import type { Link } from './link.ts'
import { withDrain } from './with-drain.ts'

const LIVE: Link = { kind: 'live', since: 0, attempts: 0 }
const DRAINING = { status: 'draining', readiness: 'draining', phase: 'draining' } as const

test('the last state before a drain is shown as draining, with what was told in flight', () => {
  const state = stateOf({ in_flight: 9 })
  expect(withDrain(state, { ...LIVE, drain: { inFlight: 3 } })).toEqual({
    ...state,
    ...DRAINING,
    in_flight: 3,
  })
  expect(withDrain(state, { ...LIVE, kind: 'ended', drain: {} })).toEqual({ ...state, ...DRAINING })
  expect(withDrain(stateOf(), { ...LIVE, drain: {} })).not.toHaveProperty('in_flight')
})

test('a state is left as it is without a drain, and when it tells of the drain itself', () => {
  const [started, terminating] = [stateOf(), stateOf({ ...DRAINING, phase: 'terminating' })]
  expect(withDrain(started, LIVE)).toBe(started)
  expect(withDrain(terminating, { ...LIVE, drain: { inFlight: 3 } })).toBe(terminating)
})
