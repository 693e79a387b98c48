import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow, joining, type Link, type LinkEvent, SILENCE_MS } from './link.ts'

/** Where a row of events leads, one a second, from 1000 on. */
const after = (...events: readonly LinkEvent[]): Link =>
  events.reduce((link, event, index) => follow(link, event, (index + 1) * 1_000), joining(0))

const HEARD: LinkEvent = { type: 'heard' }
const STAYING: LinkEvent = { type: 'heard', isLeaving: false }
const LEAVING: LinkEvent = { type: 'heard', isLeaving: true }
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
    ['is live again with the next word', [HEARD, ENDED, HEARD], { kind: 'live', since: 3_000, attempts: 0 }],
    [
      'has ended as expected when a drain was told',
      [STAYING, DRAINING, ENDED],
      { kind: 'ended', since: 3_000, drain: { at: 2_000, inFlight: 3 } },
    ],
    [
      'has ended as expected when a phase told of the drain',
      [STAYING, LEAVING, LEAVING, ENDED],
      { kind: 'ended', since: 4_000, drain: { at: 2_000 } },
    ],
    [
      'stays ended while attempts fail',
      [STAYING, DRAINING, ENDED, ENDED, ENDED],
      { kind: 'ended', since: 3_000, attempts: 3 },
    ],
    ['needs a key', [{ type: 'refused', hadKey: false }], { kind: 'locked', isRefused: false }],
    [
      'knows that a key was refused',
      [HEARD, { type: 'refused', hadKey: true }],
      { kind: 'locked', isRefused: true },
    ],
    [
      'is locked once the key is forgotten, and nothing was refused',
      [HEARD, { type: 'forgotten' }],
      { kind: 'locked' },
    ],
    [
      'waits its turn where too many watch',
      [{ type: 'crowded' }, { type: 'crowded' }],
      { kind: 'full', since: 1_000, attempts: 2 },
    ],
    [
      'is lost when a locked server ends',
      [{ type: 'refused', hadKey: false }, ENDED],
      { kind: 'lost', since: 1_000 },
    ],
  ])('%s', (_title, events, wanted) => expect(after(...events)).toMatchObject(wanted))

  it('does not know when a drain began that it has not seen begin', () => {
    expect(after(HEARD, LEAVING, LEAVING).drain).toEqual({})
    expect(after(STAYING, HEARD, LEAVING, LEAVING).drain).toEqual({ at: 3_000 })
  })

  it('forgets a drain with the server that told of it', () => {
    expect(after(STAYING, DRAINING, ENDED, HEARD)).not.toHaveProperty('drain')
    expect(after(STAYING, LEAVING, STAYING)).toHaveProperty('drain')
  })

  it('forgets what went wrong and what was refused', () => {
    expect(after(ENDED, { type: 'refused', hadKey: true }, HEARD)).toEqual({
      kind: 'live',
      since: 3_000,
      heardAt: 3_000,
      attempts: 0,
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

  it('has ended, not been lost, when it falls silent in a drain', () => {
    expect(follow(after(STAYING, DRAINING), { type: 'looked' }, 60_000)).toMatchObject({ kind: 'ended' })
  })

  it('that is not live does not change by looking', () => {
    for (const link of [joining(0), after(ENDED), after({ type: 'refused', hadKey: false })])
      expect(follow(link, { type: 'looked' }, 1_000_000)).toBe(link)
  })

  it('is live right after any word of the server, and never says both lost and since later than now', () => {
    const event = fc.constantFrom<LinkEvent>(
      HEARD,
      STAYING,
      LEAVING,
      DRAINING,
      ENDED,
      { type: 'crowded' },
      { type: 'looked' },
      { type: 'forgotten' },
      { type: 'refused', hadKey: true },
    )
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (events) => {
        const link = after(...events)
        const last = events.at(-1)?.type
        if (last === 'heard' || last === 'draining') expect(link.kind).toBe('live')
        expect(link.since).toBeLessThanOrEqual(events.length * 1_000)
        if (link.kind === 'live') expect(link.attempts).toBe(0)
      }),
    )
  })
})
