import type { AdminState, HelloState } from '../../live/state.ts'
import { backoffMs } from './rules/backoff.ts'
import { follow, joining, type Link, type LinkEvent } from './rules/link.ts'
import type { StreamEvent } from './rules/parse-events.ts'
import type { KeyStore } from './wire/key-store.ts'
import { watchEvents } from './wire/watch-events.ts'

/** Who hears of what comes; `link` is told after each event, also when it stands as before. */
export interface SessionListener {
  hello(hello: HelloState): void
  state(state: AdminState): void
  link(link: Link, before: Link): void
}

/** The connection to the server, kept up for as long as the page is open. */
export interface Session {
  /** Tries at once. */
  connect(): void
  /** Tries with another key; it is kept once it has been accepted. */
  open(key: string): void
  forget(): void
  /** To be called now and then: finds out that a stream has fallen silent. */
  look(): void
  readonly link: Link
  /** When the next attempt is due; undefined while one is under way or none is needed. */
  readonly nextTryAt: number | undefined
}

/** As many attempts make the longest pause: somebody else has to go first. */
const LONG = 10
const LEAVING = new Set(['draining', 'terminating', 'terminated'])

export function createSession(keys: KeyStore, listener: SessionListener): Session {
  let link = joining(Date.now())
  let typed: string | undefined
  let stop = (): void => undefined
  let retry: number | undefined
  let nextTryAt: number | undefined

  function step(event: LinkEvent): void {
    const before = link
    link = follow(link, event, Date.now())
    listener.link(link, before)
  }

  function connect(): void {
    clearTimeout(retry)
    nextTryAt = undefined
    stop()
    const key = typed ?? keys.get()
    stop = watchEvents(key, {
      event,
      refused() {
        if (key === keys.get()) keys.set(undefined)
        typed = undefined
        step({ type: 'refused', hadKey: key !== undefined })
      },
      crowded: () => later({ type: 'crowded' }),
      ended: (why) => later({ type: 'ended', why }),
    })
  }

  /** What has failed is tried again, each time a little later. */
  function later(event: LinkEvent): void {
    step(event)
    const wait = backoffMs(event.type === 'crowded' ? LONG : link.attempts, Math.random())
    nextTryAt = Date.now() + wait
    retry = window.setTimeout(connect, wait)
  }

  function event({ name, data }: StreamEvent): void {
    const told: unknown = JSON.parse(data)
    if (name === 'hello') {
      if (typed !== undefined) keys.set(typed)
      typed = undefined
      listener.hello(told as HelloState)
    }
    if (name === 'state') listener.state(told as AdminState)
    if (name === 'draining') step({ type: 'draining', inFlight: (told as { in_flight: number }).in_flight })
    else if (name === 'state') step({ type: 'heard', isLeaving: LEAVING.has((told as AdminState).phase) })
    else step({ type: 'heard' })
  }

  return {
    connect,
    open(key) {
      typed = key
      connect()
    },
    forget() {
      clearTimeout(retry)
      stop()
      typed = undefined
      keys.set(undefined)
      step({ type: 'forgotten' })
    },
    look() {
      const { kind } = link
      if (kind !== 'live' || follow(link, { type: 'looked' }, Date.now()).kind === kind) return
      stop()
      later({ type: 'looked' })
    },
    get link() {
      return link
    },
    get nextTryAt() {
      return nextTryAt
    },
  }
}
