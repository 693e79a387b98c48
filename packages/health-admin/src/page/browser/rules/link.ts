/** How this page stands to its server. Times are milliseconds since 1970 by the browser's clock. */
export interface Link {
  /**
   * `joining`: nothing has been heard yet; `live`; `lost`: it was heard, or never could be; `ended`: gone after a drain, as
   * expected; `locked`: a key is needed; `full`: too many watchers.
   */
  readonly kind: 'joining' | 'live' | 'lost' | 'ended' | 'locked' | 'full'
  /** Since when it is so; for `lost` since the last word of the server. */
  readonly since: number
  /** When the last event came. */
  readonly heardAt?: number
  /** Failed attempts since then. */
  readonly attempts: number
  /** What went wrong last. */
  readonly why?: string
  /** A key was sent, and refused. */
  readonly isRefused?: boolean
  /** A state without a drain has been heard since the connection was made. */
  readonly wasStaying?: boolean
  /** The server has told of its drain: since when, where its beginning was seen, and what was in flight last. */
  readonly drain?: { readonly at?: number; readonly inFlight?: number }
}

export type LinkEvent =
  /** `isLeaving`: whether a drain has begun, where the event is a state. */
  | { readonly type: 'heard'; readonly isLeaving?: boolean }
  | { readonly type: 'draining'; readonly inFlight?: number }
  | { readonly type: 'ended'; readonly why: string }
  | { readonly type: 'refused'; readonly hadKey: boolean }
  | { readonly type: 'crowded' }
  | { readonly type: 'forgotten' }
  /** Time has passed. */
  | { readonly type: 'looked' }

/** An event comes at least every second: after so long without one the server counts as lost. */
export const SILENCE_MS = 5_000

export const joining = (at: number): Link => ({ kind: 'joining', since: at, attempts: 0 })

/** The next standing. A new attempt itself changes nothing: what is lost stays lost until something is heard. */
export function follow(link: Link, event: LinkEvent, at: number): Link {
  switch (event.type) {
    case 'heard':
      return heard(live(link, at), event.isLeaving, at)
    case 'draining': {
      const now = live(link, at)
      const inFlight = event.inFlight === undefined ? {} : { inFlight: event.inFlight }
      return { ...now, drain: { at: now.drain?.at ?? at, ...inFlight } }
    }
    case 'ended':
      return gone(link, event.why, at)
    case 'looked':
      return isSilent(link, at) ? gone(link, `silent for ${SILENCE_MS / 1_000} s`, at) : link
    case 'refused':
      return { kind: 'locked', since: at, attempts: 0, isRefused: event.hadKey }
    case 'forgotten':
      return { kind: 'locked', since: at, attempts: 0 }
    case 'crowded':
      return { ...next(link, 'full', at), attempts: link.attempts + 1 }
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

function heard(link: Link, isLeaving: boolean | undefined, at: number): Link {
  if (isLeaving === false) return { ...link, wasStaying: true }
  if (!isLeaving || link.drain !== undefined) return link
  return { ...link, drain: link.wasStaying ? { at } : {} }
}

function live(link: Link, at: number): Link {
  // whoever is heard after a break tells of its drain anew
  const { drain, wasStaying } = link.kind === 'live' ? link : {}
  const since = link.kind === 'live' ? link.since : at
  return {
    kind: 'live',
    since,
    heardAt: at,
    attempts: 0,
    ...(drain === undefined ? {} : { drain }),
    ...(wasStaying === undefined ? {} : { wasStaying }),
  }
}

function gone(link: Link, why: string, at: number): Link {
  const attempts = link.attempts + 1
  if (link.kind === 'ended') return { ...link, attempts, why }
  if (link.kind === 'live' && link.drain !== undefined) return { ...next(link, 'ended', at), attempts, why }
  const since = link.kind === 'lost' ? link.since : (link.heardAt ?? link.since)
  return { ...link, kind: 'lost', since, attempts, why }
}
