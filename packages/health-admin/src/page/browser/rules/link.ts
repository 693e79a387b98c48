import type { Phase } from '@baldur/health-core'

/** What is known of the server's drain. Times are milliseconds since 1970 by the browser's clock. */
export interface DrainSeen {
  /** When it began, where its beginning was seen. */
  readonly at?: number
  /** What was in flight when it was last heard. */
  readonly inFlight?: number
  /** The last phase that was heard. */
  readonly phase: Phase
  /** The server has served in it: states told of it. */
  readonly isServed?: boolean
  /** A last event has told that the server closes. */
  readonly isTold?: boolean
  /** Whose it is, where that is known. */
  readonly instance?: string
}

/** How this page stands to its server. Times are milliseconds since 1970 by the browser's clock. */
export interface Link {
  /**
   * `joining`: nothing has been heard yet; `live`; `lost`: it was heard, or never could be; `left`: gone in a drain, or at
   * its beginning; `locked`: a key is needed; `full`: too many watchers; `paused`: nobody looks at this tab.
   */
  readonly kind: 'joining' | 'live' | 'lost' | 'left' | 'locked' | 'full' | 'paused'
  /** Since when it is so; for `lost` since the last word of the server. */
  readonly since: number
  /** When the last event came. */
  readonly heardAt?: number
  /** Failed attempts since then. */
  readonly attempts: number
  /** What went wrong last. */
  readonly why?: string
  /** A key was sent, and refused: one that was typed in just now, or one that had been accepted before. */
  readonly refused?: 'typed' | 'kept'
  /** Since when a server that wants a key answers nothing at all. */
  readonly silentSince?: number
  /** A state without a drain has been heard since the connection was made. */
  readonly wasStaying?: boolean
  /** Which process was heard last. */
  readonly instance?: string
  /** The drain that was told; it outlasts a break, until a state says otherwise. */
  readonly drain?: DrainSeen
}

/** What a state says of who leaves. */
export interface Heard {
  readonly instance: string
  readonly phase: Phase
  readonly inFlight?: number
}

export type LinkEvent =
  /** `state`: absent where the event is another. */
  | { readonly type: 'heard'; readonly state?: Heard }
  /** The last event of a server that leaves; older servers do not say how far the drain is. */
  | { readonly type: 'draining'; readonly inFlight?: number; readonly phase?: Phase }
  | { readonly type: 'ended'; readonly why: string }
  | { readonly type: 'refused'; readonly key?: 'typed' | 'kept' }
  | { readonly type: 'crowded' }
  | { readonly type: 'forgotten' }
  | { readonly type: 'paused' }
  /** Whether a server that wants a key answers at all. */
  | { readonly type: 'asked'; readonly answers: boolean }
  /** Time has passed. */
  | { readonly type: 'looked' }

/** An event comes at least every second: after so long without one the server counts as lost. */
export const SILENCE_MS = 5_000

const LEAVING: ReadonlySet<Phase> = new Set<Phase>(['draining', 'terminating', 'terminated'])

const isLeaving = (phase: Phase): boolean => LEAVING.has(phase)

export const joining = (at: number): Link => ({ kind: 'joining', since: at, attempts: 0 })

/** The next standing. A new attempt itself changes nothing: what is lost stays lost until something is heard. */
export function follow(link: Link, event: LinkEvent, at: number): Link {
  switch (event.type) {
    case 'heard':
      if (event.state !== undefined) return heard(live(link, at), event.state, at)
      // a greeting alone says nothing new: what is shown is still what was said before
      return link.kind === 'live' ? live(link, at) : link
    case 'draining':
      return told(live(link, at), event, at)
    case 'ended':
      return gone(link, event.why, at)
    case 'looked':
      return isSilent(link, at) ? gone(link, `silent for ${SILENCE_MS / 1_000} s`, at) : link
    case 'refused':
      return {
        ...{ kind: 'locked', since: at, attempts: 0 },
        ...(event.key === undefined ? {} : { refused: event.key }),
      }
    case 'forgotten':
      return { kind: 'locked', since: at, attempts: 0 }
    case 'crowded':
      return { ...next(link, 'full', at), attempts: link.attempts + 1, why: 'Too many watchers' }
    case 'paused':
      return next(link, 'paused', at)
    case 'asked':
      return asked(link, event.answers, at)
  }
}

/** Whether a live stream has been silent for too long. */
const isSilent = ({ kind, heardAt }: Link, at: number): boolean =>
  kind === 'live' && heardAt !== undefined && at - heardAt >= SILENCE_MS

const next = ({ kind, since, ...rest }: Link, to: Link['kind'], at: number): Link => ({
  ...rest,
  kind: to,
  since: kind === to ? since : at,
})

/** After a state. One of the same process that still leaves tells of the same drain. */
function heard(link: Link, { instance, phase, inFlight }: Heard, at: number): Link {
  const { drain, ...rest } = link
  if (!isLeaving(phase)) return { ...rest, instance, wasStaying: true }
  const seen = drain?.instance === instance ? drain.at : link.wasStaying ? at : undefined
  return {
    ...{ ...rest, instance },
    drain: {
      ...{ phase, instance, isServed: true },
      ...(seen === undefined ? {} : { at: seen }),
      ...(inFlight === undefined ? {} : { inFlight }),
    },
  }
}

/** After the last event of a server that leaves: unless states told of its drain, it begins now. */
function told(link: Link, { inFlight, phase }: LinkEvent & { type: 'draining' }, at: number): Link {
  const { drain = { at, phase: 'draining' as const }, instance } = link
  return {
    ...link,
    drain: {
      ...drain,
      ...(inFlight === undefined ? {} : { inFlight }),
      ...(phase === undefined ? {} : { phase }),
      ...(instance === undefined ? {} : { instance }),
      isTold: true,
    },
  }
}

function live({ kind, since, instance, drain, wasStaying }: Link, at: number): Link {
  const isLive = kind === 'live'
  return {
    kind: 'live',
    since: isLive ? since : at,
    heardAt: at,
    attempts: 0,
    ...(instance === undefined ? {} : { instance }),
    ...(drain === undefined ? {} : { drain }),
    // what happened in a break was not seen
    ...(isLive && wasStaying !== undefined ? { wasStaying } : {}),
  }
}

function gone(link: Link, why: string, at: number): Link {
  const attempts = link.attempts + 1
  if (link.kind === 'left') return { ...link, attempts, why }
  // a tab that was paused in a drain finds out afterwards
  if ((link.kind === 'live' || link.kind === 'paused') && link.drain !== undefined) {
    // whoever said that it closes did so then; else nothing is known after its last word
    const since = link.drain.isTold && link.kind === 'live' ? at : (link.heardAt ?? at)
    return { ...link, kind: 'left', since, attempts, why }
  }
  // while it was paused nobody listened
  const since = link.kind === 'paused' ? at : link.kind === 'lost' ? link.since : (link.heardAt ?? link.since)
  return { ...link, kind: 'lost', since, attempts, why }
}

function asked(link: Link, answers: boolean, at: number): Link {
  if (link.kind !== 'locked' || answers === (link.silentSince === undefined)) return link
  const { silentSince: _, ...rest } = link
  return answers ? rest : { ...rest, silentSince: at }
}
