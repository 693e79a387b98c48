import type { Phase } from '@baldur/health-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow, joining, type Link, type LinkEvent, SILENCE_MS } from './link.ts'

/** Where a row of events leads, one a second, from 1000 on. */
const after = (...events: readonly LinkEvent[]): Link =>
  events.reduce((link, event, index) => follow(link, event, (index + 1) * 1_000), joining(0))

const HELLO: LinkEvent = { type: 'heard' }
const stateOf = (phase: Phase, instance = 'one', inFlight = 4): LinkEvent => ({
  type: 'heard',
  state: { instance, phase, inFlight },
})
const STAYING = stateOf('started')
const HEARD = STAYING
const LEAVING = stateOf('draining')
const PAUSED: LinkEvent = { type: 'paused' }
const DRAINING: LinkEvent = { type: 'draining', inFlight: 3 }
const ENDED: LinkEvent = { type: 'ended', why: 'cut' }

describe('the connection', () => {
  it.each<[string, readonly LinkEvent[], Partial<Link>]>([
    [
      'is live from the first word on',
      [HEARD, HEARD],
      { kind: 'live', since: 1_000, heardAt: 2_000, attempts: 0 },
    ],
    [
      'that never was is lost since the page was opened',
      [ENDED, ENDED],
      { kind: 'lost', since: 0, attempts: 2 },
    ],
    [
      'is lost since its last word, however many attempts fail',
      [HEARD, ENDED, ENDED, ENDED],
      { kind: 'lost', since: 1_000, attempts: 3, why: 'cut' },
    ],
    [
      'is as it was after a greeting alone',
      [HEARD, ENDED, HELLO],
      { kind: 'lost', since: 1_000, attempts: 1 },
    ],
    ['hears a greeting as any word', [HEARD, HELLO], { kind: 'live', heardAt: 2_000 }],
    ['is live again with the next word', [HEARD, ENDED, HEARD], { kind: 'live', since: 3_000, attempts: 0 }],
    [
      'has left when a last word told of a drain',
      [STAYING, DRAINING, ENDED],
      {
        kind: 'left',
        since: 3_000,
        drain: { at: 2_000, inFlight: 3, phase: 'draining', instance: 'one', isTold: true },
      },
    ],
    [
      'has left since its last word when states told of the drain, and no last word did',
      [STAYING, LEAVING, stateOf('terminating', 'one', 2), ENDED],
      {
        kind: 'left',
        since: 3_000,
        drain: { at: 2_000, inFlight: 2, phase: 'terminating', instance: 'one', isServed: true },
      },
    ],
    [
      'has left when its last word tells of the drain’s end',
      [STAYING, LEAVING, { ...DRAINING, inFlight: 0, phase: 'terminated' }, ENDED],
      {
        kind: 'left',
        since: 4_000,
        drain: {
          ...{ at: 2_000, inFlight: 0, phase: 'terminated', instance: 'one' },
          ...{ isServed: true, isTold: true },
        },
      },
    ],
    [
      'has still left while attempts fail',
      [STAYING, DRAINING, ENDED, ENDED, ENDED],
      { kind: 'left', since: 3_000, attempts: 3 },
    ],
    ['needs a key', [{ type: 'refused' }], { kind: 'locked' }],
    [
      'knows that a key was refused, and which',
      [HEARD, { type: 'refused', key: 'kept' }],
      { kind: 'locked', refused: 'kept' },
    ],
    ['is paused since then', [HEARD, PAUSED], { kind: 'paused', since: 2_000, heardAt: 1_000 }],
    [
      'that was paused in a drain has left when it is not found again, since its last word',
      [HEARD, LEAVING, PAUSED, ENDED],
      { kind: 'left', since: 2_000 },
    ],
    ['is live after a pause', [HEARD, PAUSED, HEARD], { kind: 'live', since: 3_000 }],
    [
      'is lost since its first attempt after a pause, as nobody listened in it',
      [STAYING, PAUSED, ENDED, ENDED],
      { kind: 'lost', since: 3_000 },
    ],
    [
      'is locked once the key is forgotten, and nothing was refused',
      [HEARD, { type: 'forgotten' }],
      { kind: 'locked' },
    ],
    [
      'waits its turn where too many watch',
      [{ type: 'crowded' }, { type: 'crowded' }],
      { kind: 'full', since: 1_000, attempts: 2, why: 'Too many watchers' },
    ],
    ['is lost when a locked server ends', [{ type: 'refused' }, ENDED], { kind: 'lost', since: 1_000 }],
  ])('%s', (_title, events, wanted) => expect(after(...events)).toMatchObject(wanted))

  it('does not know when a drain began that it has not seen begin', () => {
    expect(after(HELLO, LEAVING, LEAVING).drain).not.toHaveProperty('at')
    expect(after(STAYING, HELLO, LEAVING, LEAVING).drain).toMatchObject({ at: 3_000 })
    expect(after(STAYING, ENDED, HELLO, LEAVING).drain).not.toHaveProperty('at')
  })

  it('knows a drain again after a break, when the same process tells of it', () => {
    const back = after(STAYING, LEAVING, ENDED, ENDED, HELLO, stateOf('terminating', 'one', 1))
    expect(back).toMatchObject({ kind: 'live', drain: { at: 2_000, phase: 'terminating', inFlight: 1 } })
    expect(after(STAYING, LEAVING, ENDED, HELLO, stateOf('draining', 'two')).drain).toEqual({
      ...{ phase: 'draining', instance: 'two', inFlight: 4, isServed: true },
    })
  })

  it('forgets a drain with the process that told of it', () => {
    expect(after(STAYING, DRAINING, ENDED, HELLO, stateOf('started', 'two'))).not.toHaveProperty('drain')
    expect(after(STAYING, LEAVING, ENDED, stateOf('starting', 'two'))).not.toHaveProperty('drain')
  })

  it('of a server that wants a key says since when it does not answer, until it does', () => {
    const [silent, answers] = [false, true].map((answers): LinkEvent => ({ type: 'asked', answers }))
    const locked = after({ type: 'refused' })
    const gone = follow(locked, silent as LinkEvent, 9_000)
    expect(gone).toEqual({ ...locked, silentSince: 9_000 })
    expect(follow(gone, silent as LinkEvent, 19_000)).toBe(gone)
    expect(follow(gone, answers as LinkEvent, 29_000)).toEqual(locked)
    expect(follow(locked, answers as LinkEvent, 29_000)).toBe(locked)
    const live = after(HEARD)
    expect(follow(live, silent as LinkEvent, 9_000)).toBe(live)
  })

  it('forgets what went wrong and what was refused', () => {
    expect(after(ENDED, { type: 'refused', key: 'typed' }, HEARD)).toEqual({
      ...{ kind: 'live', since: 3_000, heardAt: 3_000, attempts: 0 },
      ...{ instance: 'one', wasStaying: true },
    })
  })

  it('is lost when nothing has come for five seconds, and not a moment before', () => {
    const live = after(HEARD)
    expect(follow(live, { type: 'looked' }, 1_000 + SILENCE_MS - 1)).toBe(live)
    expect(follow(live, { type: 'looked' }, 1_000 + SILENCE_MS)).toMatchObject({
      kind: 'lost',
      since: 1_000,
      why: 'silent for 5 s',
    })
  })

  it('has left, not been lost, when it falls silent in a drain', () => {
    expect(follow(after(STAYING, DRAINING), { type: 'looked' }, 60_000)).toMatchObject({ kind: 'left' })
  })

  it('that is not live does not change by looking', () => {
    for (const link of [joining(0), after(ENDED), after({ type: 'refused' })])
      expect(follow(link, { type: 'looked' }, 1_000_000)).toBe(link)
  })

  it('is live right after any word of the server, and never says both lost and since later than now', () => {
    const event = fc.constantFrom<LinkEvent>(
      HELLO,
      STAYING,
      LEAVING,
      DRAINING,
      ENDED,
      { type: 'crowded' },
      { type: 'looked' },
      PAUSED,
      { type: 'forgotten' },
      { type: 'refused', key: 'typed' },
    )
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (events) => {
        const link = after(...events)
        const last = events.at(-1)?.type
        if (last === 'draining' || (last === 'heard' && events.at(-1) !== HELLO))
          expect(link.kind).toBe('live')
        expect(link.since).toBeLessThanOrEqual(events.length * 1_000)
        if (link.kind === 'live') expect(link.attempts).toBe(0)
      }),
    )
  })
})
