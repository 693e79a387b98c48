import { expect, test } from 'vitest'
import { stateOf } from '../testing/state.ts'
import type { Link } from './link.ts'
import { withDrain } from './with-drain.ts'

const LIVE: Link = { kind: 'live', since: 0, attempts: 0 }
const DRAINING = { status: 'draining', readiness: 'draining', phase: 'draining' } as const

test('the last state before a drain is shown as draining, with what was told in flight', () => {
  const state = stateOf({ in_flight: 9 })
  expect(withDrain(state, { ...LIVE, drain: { phase: 'draining', inFlight: 3 } })).toEqual({
    ...{ ...state, ...DRAINING },
    in_flight: 3,
  })
  expect(withDrain(state, { ...LIVE, kind: 'left', drain: { phase: 'draining' } })).toEqual({
    ...state,
    ...DRAINING,
  })
  expect(withDrain(stateOf(), { ...LIVE, drain: { phase: 'draining' } })).not.toHaveProperty('in_flight')
})

test('the last word is newer than the last state, and who leaves is not ready, whatever was known before', () => {
  const state = stateOf({ ...DRAINING, readiness: 'ready', in_flight: 3 })
  expect(withDrain(state, { ...LIVE, drain: { phase: 'terminated', inFlight: 0 } })).toEqual({
    ...{ ...state, ...DRAINING },
    ...{ phase: 'terminated', in_flight: 0 },
  })
})

test('without a drain a state is left as it is', () => {
  const started = stateOf()
  expect(withDrain(started, LIVE)).toBe(started)
})
