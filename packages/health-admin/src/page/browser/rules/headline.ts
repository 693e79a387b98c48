import type { AdminState } from '../../../live/state.ts'
import type { Link } from './link.ts'
import { type Tone, toneOf } from './tone.ts'
import { count, plain, span } from './words.ts'

/** The largest words of the page. */
export interface Headline {
  /** In capitals, one or two words. */
  readonly word: string
  readonly tone: Tone
  /** What that means, in a sentence. */
  readonly meaning: string
  /** What makes it so, the worst first, each with its problem where it has one. */
  readonly causes: readonly { readonly name: string; readonly problem?: string }[]
  /** Since when, in milliseconds since 1970 by the server's clock. */
  readonly since?: number
  /** What the server said last, where that is not the headline itself. */
  readonly last?: string
}

const MEANINGS: Readonly<Record<string, string>> = {
  healthy: 'Every check is usable.',
  degraded: 'It serves traffic, but something that is not critical fails.',
  unhealthy: 'A critical check fails: balancers take this instance out.',
  starting: 'Its setup has not ended: no traffic yet.',
  failed: 'Its setup has failed: this process will never be ready.',
  draining: 'A drain has begun: new traffic goes elsewhere, what is under way is finished.',
  error: 'The health check itself has failed: the log of the process says why.',
  unavailable: 'The verdict could not be found in time.',
}

/** What stands in the way of a verdict. */
const OBSTACLES = {
  joining: { word: 'CONNECTING', tone: 'unknown', meaning: 'Waiting for the first word of the server.' },
  lost: { word: 'NO ANSWER', tone: 'bad', meaning: 'The server has been lost. Below is what it said last.' },
  ended: {
    word: 'ENDED',
    tone: 'busy',
    meaning: 'Drained, then ended, as expected. Waiting for what comes after it.',
  },
  locked: {
    word: 'KEY NEEDED',
    tone: 'unknown',
    meaning: 'This server shows its state only to holders of a key.',
  },
  full: {
    word: 'TOO MANY WATCHERS',
    tone: 'warn',
    meaning: 'Others watch this server already. It is tried again.',
  },
} as const

/** The headline for what is known; `skewMs` is how far the server's clock is behind the browser's. */
export function headline(link: Link, state: AdminState | undefined, skewMs: number): Headline {
  if (link.kind !== 'live' || state === undefined) return obstacle(link, state, skewMs)
  const status = link.drain === undefined ? state.status : 'draining'
  const since = link.drain === undefined ? sinceOf(state) : began(link.drain, skewMs)
  return {
    word: plain(status).toUpperCase(),
    tone: toneOf(status),
    meaning: meaningOf(status, state, link),
    causes: status === 'healthy' ? [] : causesOf(state),
    ...(since === undefined ? {} : { since }),
  }
}

function obstacle(link: Link, state: AdminState | undefined, skewMs: number): Headline {
  const found = OBSTACLES[link.kind === 'live' ? 'joining' : link.kind]
  const hasSpoken = state !== undefined && link.kind !== 'locked'
  const meaning =
    link.kind === 'lost' && !hasSpoken ? 'Nothing has been heard of the server yet.' : found.meaning
  const isTimed = link.kind === 'lost' || link.kind === 'ended' || link.kind === 'full'
  return {
    ...found,
    meaning,
    causes: [],
    ...(isTimed ? { since: link.since - skewMs } : {}),
    ...(hasSpoken ? { last: plain(state.status) } : {}),
  }
}

function meaningOf(status: string, state: AdminState, { drain }: Link): string {
  if (status === 'draining') {
    const inFlight = drain?.inFlight ?? state.in_flight
    const left = inFlight === undefined ? '' : ` ${count(inFlight, 'request')} in flight.`
    return `${MEANINGS.draining}${left}`
  }
  if (status === 'unhealthy' && state.checks.every(({ critical }) => !critical))
    return 'Nothing critical is checked, so nothing is known: that is not healthy.'
  return MEANINGS[status] ?? ''
}

function causesOf({ causes, checks }: AdminState): Headline['causes'] {
  return causes.map((name) => {
    const check = checks.find((one) => one.name === name)
    const problem = check?.problem ?? (check?.status === 'timed_out' ? 'no answer in time' : undefined)
    return problem === undefined ? { name } : { name, problem }
  })
}

/** When a drain began, by the server's clock. */
const began = ({ at }: NonNullable<Link['drain']>, skewMs: number): number | undefined =>
  at === undefined ? undefined : at - skewMs

/** When the verdict became what it is: by its last move, else from the start. */
function sinceOf({ status, history, instance }: AdminState): number | undefined {
  const last = history.at(-1)
  if (last?.to === status) return Date.parse(last.at)
  return status === 'healthy' || status === 'starting' ? Date.parse(instance.started_at) : undefined
}

/** The tab's title: the verdict first. */
export function titleOf({ word }: Headline, state: AdminState | undefined): string {
  const { namespace, host } = state?.instance ?? {}
  return `${word} ${namespace ?? host ?? 'Baldur Health'}`
}

/** The state of the connection, in a few words. */
export function linkWords(link: Link, now: number, nextTryAt: number | undefined): string {
  const wait = nextTryAt === undefined ? 0 : Math.ceil((nextTryAt - now) / 1_000)
  const again = wait > 0 ? `trying again in ${wait} s` : 'trying now'
  switch (link.kind) {
    case 'joining':
      return 'Connecting'
    case 'live':
      return `Live, updated ${now - (link.heardAt ?? now) < 1_500 ? 'just now' : `${span(now - (link.heardAt ?? now))} ago`}`
    case 'locked':
      return 'Waiting for a key'
    default:
      return `${link.why ?? 'No answer'}, ${again} (attempt ${link.attempts + 1})`
  }
}
