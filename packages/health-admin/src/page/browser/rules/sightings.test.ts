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

const DRAIN = { phase: 'draining', instance: 'one' } as const

test.each([
  [
    'a loss, at the last word',
    link('lost'),
    link('live'),
    { at: 1_000, kind: 'lost', text: 'Lost the server' },
  ],
  [
    'the begin of a drain',
    link('live', { drain: { ...DRAIN, at: 9_000 } }),
    link('live'),
    { at: 9_000, kind: 'drain', text: 'A drain has begun' },
  ],
  [
    'a drain that had begun before',
    link('live', { drain: DRAIN }),
    link('live'),
    { at: 9_000, kind: 'drain', text: 'Seen in a drain: its beginning was not seen' },
  ],
  [
    'the drain of another process',
    link('live', { drain: { ...DRAIN, at: 9_000, instance: 'two' } }),
    link('live', { drain: DRAIN }),
    { at: 9_000, kind: 'drain', text: 'A drain has begun' },
  ],
  [
    'whom it left',
    link('left', { drain: { ...DRAIN, isTold: true } }),
    link('live', { drain: DRAIN }),
    { at: 1_000, kind: 'left', text: 'The admin server has closed, as it does at a drain’s beginning' },
  ],
  [
    'no answer after a pause',
    link('lost'),
    link('paused'),
    { at: 1_000, kind: 'lost', text: 'No answer after a pause' },
  ],
  [
    'an answer after a loss',
    link('live'),
    link('lost'),
    { at: 9_000, kind: 'back', text: 'Answers again, after 8 s' },
  ],
  [
    'an answer after who left, whose drain goes on',
    link('live', { drain: DRAIN }),
    link('left', { drain: DRAIN }),
    { at: 9_000, kind: 'back', text: 'Answers again, after 8 s' },
  ],
  ['no drain that goes on', link('live', { drain: DRAIN }), link('live', { drain: DRAIN }), undefined],
  ['no further attempt', link('lost'), link('lost'), undefined],
  ['no first word', link('live'), link('joining'), undefined],
  ['no pause', link('paused'), link('live'), undefined],
  ['no word after a pause', link('live'), link('paused'), undefined],
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
