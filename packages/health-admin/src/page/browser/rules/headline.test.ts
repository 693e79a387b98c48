import { describe, expect, it } from 'vitest'
import type { AdminState } from '../../../live/state.ts'
import { checkOf, iso, stateOf, T0 } from '../testing/state.ts'
import { type Headline, headline as headlineAt, linkWords, titleOf } from './headline.ts'
import { joining, type Link } from './link.ts'

const LIVE: Link = { kind: 'live', since: T0, heardAt: T0 + 60_000, attempts: 0 }
/** Soon after what happened. */
const headline = (link: Link, state: AdminState | undefined, skewMs: number): Headline =>
  headlineAt(link, state, skewMs, T0 + 71_000)
const GONE = { since: T0 + 70_000, heardAt: T0 + 70_000, attempts: 2, why: 'cut' }
const failing = stateOf({
  status: 'unhealthy',
  readiness: 'not_ready',
  causes: ['database', 'watchdog'],
  checks: [checkOf('database', { status: 'unhealthy', problem: 'ECONNREFUSED: connection refused' })],
  history: [
    { from: 'healthy', to: 'degraded', cause: 'x', at: iso(1_000) },
    { from: 'degraded', to: 'unhealthy', cause: 'database', at: iso(2_000) },
  ],
})

describe('the headline', () => {
  it('is the verdict, why, and since when', () => {
    expect(headline(LIVE, failing, 0)).toEqual({
      word: 'UNHEALTHY',
      tone: 'bad',
      meaning: 'A critical check fails. It is not ready: balancers take this instance out.',
      causes: [{ name: 'database', problem: 'ECONNREFUSED: connection refused' }, { name: 'watchdog' }],
      since: T0 + 2_000,
    })
  })

  it.each([
    ['healthy', 'HEALTHY', 'good'],
    ['degraded', 'DEGRADED', 'warn'],
    ['unhealthy', 'UNHEALTHY', 'bad'],
    ['starting', 'STARTING', 'busy'],
    ['failed', 'FAILED', 'bad'],
    ['draining', 'DRAINING', 'busy'],
    ['error', 'ERROR', 'bad'],
    ['unavailable', 'UNAVAILABLE', 'bad'],
  ] as const)('of %s is %s, %s, with a meaning', (status, word, tone) => {
    const found = headline(LIVE, stateOf({ status }), 0)
    expect(found).toMatchObject({ word, tone })
    expect(found.meaning).not.toBe('')
  })

  it('is healthy since the start where it never was anything else', () => {
    expect(headline(LIVE, stateOf(), 0).since).toBe(T0)
  })

  it('knows no beginning where none was told', () => {
    expect(headline(LIVE, stateOf({ status: 'unhealthy' }), 0)).not.toHaveProperty('since')
    expect(headline({ ...LIVE, drain: { phase: 'draining' } }, stateOf(), 0)).not.toHaveProperty('since')
  })

  it('says no answer in time where a check that timed out says nothing', () => {
    const state = stateOf({
      status: 'unhealthy',
      causes: ['database'],
      checks: [checkOf('database', { status: 'timed_out' })],
    })
    expect(headline(LIVE, state, 0).causes).toEqual([{ name: 'database', problem: 'no answer in time' }])
  })

  it('of a drain says what is in flight, and since when, by the clock of the server', () => {
    const link = { ...LIVE, drain: { at: T0 + 61_000, phase: 'draining' as const } }
    expect(headline(link, stateOf({ status: 'draining', in_flight: 1 }), 500)).toMatchObject({
      word: 'DRAINING',
      since: T0 + 60_500,
      meaning: expect.stringMatching(/ 1 request in flight\.$/),
    })
    expect(headline(link, stateOf({ status: 'draining' }), 0).meaning).toMatch(/is finished\.$/)
  })

  it.each([
    ['lost', 'NO ANSWER', 'bad'],
    ['full', 'TOO MANY WATCHERS', 'warn'],
    ['paused', 'PAUSED', 'unknown'],
  ] as const)('of %s is %s, since when, and what was said last', (kind, word, tone) => {
    expect(headline({ kind, ...GONE }, failing, 500)).toMatchObject({
      word,
      tone,
      causes: [],
      since: T0 + 69_500,
      last: 'unhealthy',
    })
  })

  it('of what has left says what is known of it, since when, and what was said last', () => {
    const drain = { phase: 'draining', isTold: true, inFlight: 2 } as const
    expect(headline({ kind: 'left', ...GONE, drain }, failing, 500)).toMatchObject({
      word: 'DRAIN BEGUN',
      tone: 'busy',
      meaning: expect.stringMatching(/^A drain has begun, with 2 requests in flight/),
      since: T0 + 69_500,
      last: 'unhealthy',
    })
  })

  it.each<[Link['kind'], boolean]>([
    ['lost', true],
    ['left', true],
    ['full', false],
    ['paused', false],
  ])('of %s, after a minute without an answer, says so: %s', (kind, isSaid) => {
    const link: Link = { ...GONE, kind, drain: { phase: 'draining', isTold: true } }
    const [before, after] = [59_999, 60_000].map((ms) => headlineAt(link, failing, 500, link.since + ms))
    expect(before?.meaning).not.toMatch('over a minute')
    expect(after?.meaning.includes('Nothing has answered here for over a minute.')).toBe(isSaid)
    expect(after?.tone).toBe(kind === 'left' ? 'warn' : before?.tone)
  })

  it('of a server that asked for a key and is silent says so, since when', () => {
    const link: Link = { kind: 'locked', since: T0, attempts: 0, silentSince: T0 + 20_000 }
    expect(headline(link, failing, 500)).toMatchObject({ word: 'NO ANSWER', tone: 'bad', since: T0 + 19_500 })
    expect(headline(link, failing, 500)).not.toHaveProperty('last')
    expect(linkWords(link, T0, undefined)).toBe('No answer')
  })

  it('promises nothing below where nothing has ever been heard', () => {
    const found = headline({ kind: 'lost', ...GONE }, undefined, 0)
    expect(found.meaning).not.toMatch(/below/i)
    expect(found).not.toHaveProperty('last')
  })

  it('shows nothing of the state while a key is needed', () => {
    const found = headline({ kind: 'locked', since: T0, attempts: 0 }, failing, 0)
    expect(found).toMatchObject({ word: 'KEY NEEDED', causes: [] })
    expect(found).not.toHaveProperty('last')
  })
})

it('the title begins with the verdict and names the service, else the host, else us', () => {
  const { instance } = stateOf()
  const { namespace: _, ...nameless } = instance
  const found = headline(LIVE, failing, 0)
  expect(titleOf(found, LIVE, failing)).toBe('UNHEALTHY orders')
  expect(titleOf(found, LIVE, stateOf({ instance: nameless }))).toBe('UNHEALTHY h1')
  const first = joining(T0)
  expect(titleOf(headline(first, undefined, 0), first, undefined)).toBe('CONNECTING Baldur Health')
  const paused: Link = { ...GONE, kind: 'paused' }
  expect(titleOf(headline(paused, failing, 0), paused, failing)).toBe('UNHEALTHY (paused) orders')
})

it.each<[string, Link, number, number | undefined, string]>([
  ['has just heard', LIVE, 61_000, undefined, 'Live, updated just now'],
  ['has heard a while ago', LIVE, 63_900, undefined, 'Live, updated 3 s ago'],
  [
    'waits for the next attempt',
    { kind: 'lost', ...GONE },
    71_000,
    73_200,
    'cut, trying again in 3 s (attempt 3)',
  ],
  ['tries now', { kind: 'lost', ...GONE }, 71_000, undefined, 'cut, trying now (attempt 3)'],
  ['is paused', { kind: 'paused', ...GONE }, 71_000, undefined, 'Paused while hidden'],
  ['needs a key', { kind: 'locked', since: T0, attempts: 0 }, 71_000, undefined, 'Waiting for a key'],
])('the connection that %s says so', (_title, link, now, nextTryAt, words) => {
  expect(linkWords(link, T0 + now, nextTryAt === undefined ? undefined : T0 + nextTryAt)).toBe(words)
})
