import { expect, test } from 'vitest'
import { iso, stateOf } from '../testing/state.ts'
import type { Link } from './link.ts'
import { linkSighting, stateSighting } from './sightings.ts'

const link = (kind: Link['kind'], given: Partial<Link> = {}): Link => ({
  kind,
  since: 1_000,
  attempts: 0,
  ...given,
})

test.each([
  [
    'a loss, at the last word',
    link('lost'),
    link('live'),
    { at: 1_000, kind: 'lost', text: 'Lost the server' },
  ],
  [
    'the begin of a drain',
    link('live', { drain: {} }),
    link('live'),
    { at: 9_000, kind: 'drain', text: 'A drain has begun' },
  ],
  [
    'the end after it',
    link('ended', { drain: {} }),
    link('live', { drain: {} }),
    { at: 9_000, kind: 'ended', text: 'Drained, then ended' },
  ],
  [
    'an answer after a loss',
    link('live'),
    link('lost'),
    { at: 9_000, kind: 'back', text: 'Answers again, after 8 s' },
  ],
  [
    'an answer after an end',
    link('live'),
    link('ended'),
    { at: 9_000, kind: 'back', text: 'Answers again, after 8 s' },
  ],
  ['no drain that goes on', link('live', { drain: {} }), link('live', { drain: {} }), undefined],
  ['no further attempt', link('lost'), link('lost'), undefined],
  ['no first word', link('live'), link('joining'), undefined],
  ['no key', link('locked'), link('live'), undefined],
])('tells of %s', (_title, now, before, wanted) => expect(linkSighting(now, before, 9_000)).toEqual(wanted))

test('tells that self-healing was switched, but not of another process that has it otherwise', () => {
  const off = stateOf({ self_healing: false })
  const sighting = { at: Date.parse(off.at), kind: 'switch', text: 'Self-healing was switched off' }
  expect(stateSighting(stateOf(), off)).toEqual(sighting)
  expect(stateSighting(off, stateOf())?.text).toBe('Self-healing was switched on')
  expect(stateSighting(undefined, off)).toBeUndefined()
  expect(stateSighting(off, off)).toBeUndefined()
  const other = { ...off, instance: { ...off.instance, started_at: iso(5) } }
  expect(stateSighting(stateOf(), other)).toBeUndefined()
})
