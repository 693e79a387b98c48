import type { Phase } from '@baldur/health-core'
import type { AdminState, HelloState } from '../../live/state.ts'
import { backoffMs } from './rules/backoff.ts'
import { follow, type Heard, joining, type Link, type LinkEvent } from './rules/link.ts'
import type { StreamEvent } from './rules/parse-events.ts'
import { isAnswering } from './wire/is-answering.ts'
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
  /** Tries at once what waits: for its next attempt, or for somebody who looks. */
  resume(): void
  /** To be called now and then: finds out that a stream has fallen silent, or that nobody has looked for so long. */
  look(hiddenForMs: number): void
  readonly link: Link
  /** When the next attempt is due; undefined while one is under way or none is needed. */
  readonly nextTryAt: number | undefined
}

/** As many attempts make the longest pause: somebody else has to go first. */
const LONG = 10
/** A browser has six connections to a server that speaks HTTP/1.1: a tab that has been hidden for so long frees its own. */
const HIDDEN_MS = 10_000
/** Between two looks whether a server that wants a key answers. */
const ASK_MS = 10_000

/** The last event of a server that leaves. */
interface LastWords {
  readonly in_flight: number
  readonly phase?: Phase
}

const lastWords = ({ in_flight: inFlight, phase }: LastWords): LinkEvent => ({
  ...{ type: 'draining', inFlight },
  ...(phase === undefined ? {} : { phase }),
})

const leaving = ({ instance, phase, in_flight: inFlight }: AdminState): Heard => ({
  ...{ instance: `${instance.host} ${instance.pid} ${instance.started_at}`, phase },
  ...(inFlight === undefined ? {} : { inFlight }),
})

export function createSession(keys: KeyStore, listener: SessionListener): Session {
  let link = joining(Date.now())
  let typed: string | undefined
  let stop = (): void => undefined
  let retry: number | undefined
  let nextTryAt: number | undefined
  let askedAt = 0

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
        const wasTyped = typed !== undefined
        if (key === keys.get()) keys.set(undefined)
        typed = undefined
        step({ type: 'refused', ...(key === undefined ? {} : { key: wasTyped ? 'typed' : 'kept' }) })
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
    if (name === 'draining') step(lastWords(told as LastWords))
    else if (name === 'state') step({ type: 'heard', state: leaving(told as AdminState) })
    else step({ type: 'heard' })
  }

  /** A server that waits for a key has no stream whose end would tell of its own. */
  async function ask(): Promise<void> {
    askedAt = Date.now()
    const answers = await isAnswering()
    if (link.kind !== 'locked') return
    const isBack = answers && link.silentSince !== undefined
    step({ type: 'asked', answers })
    // another one may want no key
    if (isBack) connect()
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
    resume() {
      if (nextTryAt !== undefined || link.kind === 'paused') connect()
    },
    look(hiddenForMs) {
      const { kind } = link
      const now = Date.now()
      if (kind === 'locked' && hiddenForMs === 0 && now - Math.max(askedAt, link.since) >= ASK_MS) void ask()
      if (kind === 'live' && hiddenForMs >= HIDDEN_MS) {
        stop()
        step({ type: 'paused' })
        return
      }
      if (kind !== 'live' || follow(link, { type: 'looked' }, now).kind === kind) return
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
