import type { AdminState } from '../../../live/state.ts'
import { departure } from './departure.ts'
import type { Link } from './link.ts'
import { meaningOf } from './meaning.ts'
import { type Tone, toneOf } from './tone.ts'
import { plain, span } from './words.ts'

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

/** A process is replaced within so long, as a rule. */
const LONG_MS = 60_000
const FOR_LONG =
  'Nothing has answered here for over a minute. A rolling restart normally brings a new process by then; one on another address this page cannot find.'

/** What stands in the way of a verdict. */
const OBSTACLES = {
  joining: { word: 'CONNECTING', tone: 'unknown', meaning: 'Waiting for the first word of the server.' },
  lost: { word: 'NO ANSWER', tone: 'bad', meaning: 'The server has been lost. Below is what it said last.' },
  silent: {
    word: 'NO ANSWER',
    tone: 'bad',
    meaning: 'The server that asked for a key does not answer. It is asked again every 10 s.',
  },
  locked: {
    word: 'KEY NEEDED',
    tone: 'unknown',
    meaning: 'This server shows its state only to holders of a key.',
  },
  paused: {
    word: 'PAUSED',
    tone: 'unknown',
    meaning: 'This tab was hidden, so it has let go of its connection. Below is what the server said last.',
  },
  full: {
    word: 'TOO MANY WATCHERS',
    tone: 'warn',
    meaning: 'Others watch this server already. It is tried again.',
  },
} as const

/** The headline for what is known, a drain that was told included in the state; `skewMs` is how far the server's clock is behind the browser's, by which `now` is. */
export function headline(link: Link, state: AdminState | undefined, skewMs: number, now: number): Headline {
  if (link.kind !== 'live' || state === undefined) return obstacle(link, state, skewMs, now)
  const { status } = state
  const since = link.drain === undefined ? sinceOf(state) : began(link.drain, skewMs)
  return {
    word: plain(status).toUpperCase(),
    tone: toneOf(status),
    meaning: meaningOf(state),
    causes: status === 'healthy' ? [] : causesOf(state),
    ...(since === undefined ? {} : { since }),
  }
}

function obstacle(link: Link, state: AdminState | undefined, skewMs: number, now: number): Headline {
  const { kind } = link
  const hasSpoken = state !== undefined && kind !== 'locked'
  const since = sinceWhen(link)
  const isLong = (kind === 'lost' || kind === 'left') && now - link.since >= LONG_MS
  const { word, tone, meaning } = standing(link, hasSpoken)
  return {
    word,
    tone: isLong && tone === 'busy' ? 'warn' : tone,
    meaning: isLong ? `${meaning} ${FOR_LONG}` : meaning,
    causes: [],
    ...(since === undefined ? {} : { since: since - skewMs }),
    ...(hasSpoken ? { last: plain(state.status) } : {}),
  }
}

function standing(link: Link, hasSpoken: boolean): Pick<Headline, 'word' | 'tone' | 'meaning'> {
  const { kind, drain, silentSince } = link
  if (kind === 'left' && drain !== undefined) return departure(drain)
  if (kind === 'locked' && silentSince !== undefined) return OBSTACLES.silent
  const found = OBSTACLES[kind === 'live' ? 'joining' : kind === 'left' ? 'lost' : kind]
  if (kind === 'lost' && !hasSpoken) return { ...found, meaning: 'Nothing has been heard of the server yet.' }
  return found
}

/** By the browser's clock. */
function sinceWhen({ kind, since, silentSince }: Link): number | undefined {
  if (kind === 'locked') return silentSince
  return kind === 'joining' || kind === 'live' ? undefined : since
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

/** The tab's title: the verdict first, marked where it is an old one. */
export function titleOf({ word, last }: Headline, { kind }: Link, state: AdminState | undefined): string {
  const { namespace, host } = state?.instance ?? {}
  const verdict = kind === 'paused' && last !== undefined ? `${last.toUpperCase()} (paused)` : word
  return `${verdict} ${namespace ?? host ?? 'Baldur Health'}`
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
      return link.silentSince === undefined ? 'Waiting for a key' : 'No answer'
    case 'paused':
      return 'Paused while hidden'
    default:
      return `${link.why ?? 'No answer'}, ${again} (attempt ${link.attempts + 1})`
  }
}
