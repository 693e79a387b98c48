import { describe, expect, it, test } from 'vitest'
import type { AdminState } from '../../../live/state.ts'
import { checkOf, stateOf } from '../testing/state.ts'
import { meaningOf } from './meaning.ts'

const OUT = 'It is not ready: balancers take this instance out.'
const IN = 'Readiness says ready all the same: balancers leave this instance in.'

describe('of traffic a meaning says what readiness says', () => {
  it.each<[AdminState['status'], AdminState['readiness'], string]>([
    ['healthy', 'ready', 'Every check is usable.'],
    ['healthy', 'not_ready', `Every check is usable. ${OUT}`],
    ['degraded', 'ready', 'Something that is not critical fails. It is ready: it serves traffic.'],
    ['degraded', 'not_ready', `Something that is not critical fails. ${OUT}`],
    ['unhealthy', 'not_ready', `A critical check fails. ${OUT}`],
    ['unhealthy', 'ready', `A critical check fails. ${IN}`],
    ['error', 'not_ready', `The health check itself has failed: the log of the process says why. ${OUT}`],
    ['unavailable', 'ready', `The verdict could not be found in time. ${IN}`],
    ['starting', 'starting', 'Its setup has not ended. No traffic yet.'],
    ['failed', 'failed', 'Its setup has failed: this process will never be ready.'],
  ])('%s and %s', (status, readiness, words) => expect(meaningOf(stateOf({ status, readiness }))).toBe(words))

  it('where nothing critical is checked, too', () => {
    const checks = [checkOf('disk', { critical: false })]
    expect(meaningOf(stateOf({ status: 'unhealthy', readiness: 'not_ready', checks }))).toBe(
      `Nothing critical is checked, so nothing is known: that is not healthy. ${OUT}`,
    )
  })
})

test.each([
  [['a'], 'The last run of a has failed; its fall'],
  [['a', 'b'], 'The last runs of a and b have failed; their fall'],
  [['a', 'b', 'c'], 'The last runs of a, b and c have failed; their fall'],
  [['a', 'b', 'c', 'd', 'e'], 'The last runs of a, b, c and 2 more have failed; their fall'],
])('healthy, while the last runs of %j failed, does not claim that all are usable', (names, words) => {
  const failed = names.map((name) => checkOf(name, { recent: [{ ms: 1, ok: false }] }))
  const found = meaningOf(stateOf({ checks: [checkOf('z', { recent: [{ ms: 1, ok: true }] }), ...failed] }))
  expect(found.startsWith(words)).toBe(true)
  expect(found).not.toMatch('usable')
})

test('a problem tells of a failed run as well as a line of runs does', () => {
  const checks = [checkOf('a', { problem: 'ECONNREFUSED' })]
  expect(meaningOf(stateOf({ checks }))).toMatch(/^The last run of a has failed/)
})
