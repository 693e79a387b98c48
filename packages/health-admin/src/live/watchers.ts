import type { Clock, Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { AdminHealth } from '../options.ts'
import type { EventStream } from './event-stream.ts'
import type { AdminState } from './state.ts'

/** Those who watch, and what keeps their picture fresh. */
export interface Watchers {
  readonly size: number
  /** Adds one; returns what takes it away. */
  add(stream: EventStream): () => void
  /** Ends every stream, after a last event where there is one. */
  end: EventStream['end']
}

interface WatchersParts {
  readonly health: Pick<AdminHealth, 'on'>
  /** Runs the checks. It may take as long as they do. */
  readonly ask: () => Promise<unknown>
  /** Everything that is shown, as it is known now. */
  readonly look: () => AdminState
  /** Between two states, and between two runs of the checks; in milliseconds. */
  readonly everyMs: number
  readonly askMs: number
  /** From a change to its state; and how long the first state waits for the first run. */
  readonly settleMs: number
  readonly firstMs: number
  readonly clock: Clock
  readonly logger: Logger
}

/** What cannot wait for the next second. Runs of checks can: what they change is among these. */
const CHANGES = ['phase', 'verdict', 'watchdog', 'heal'] as const

/** While somebody watches the checks run once a second, however many do: a picture that nobody refreshes shows a dead database as alive. */
export function createWatchers(parts: WatchersParts): Watchers {
  const { health, ask, look, everyMs, askMs, settleMs, firstMs, clock, logger } = parts
  const streams = new Set<EventStream>()
  let stops: (() => void)[] = []
  /** The first run has ended, or has had its time: before that a check that was never asked would read as failed. */
  let isSeen = false

  const failed = (error: unknown): void =>
    logger.error(`admin: looking for watchers failed: ${formatError(error)}`)

  const publish = (to: Iterable<EventStream> = streams): void => {
    if (!isSeen) return
    try {
      const state = JSON.stringify(look())
      for (const stream of to) stream.send('state', state)
    } catch (error) {
      failed(error)
    }
  }
  const seen = (): void => {
    if (isSeen) return
    isSeen = true
    publish()
  }

  /** Runs the checks again and again, so long after it began, or at once when it took longer. */
  const askOn = (): (() => void) => {
    let cancel = (): void => undefined
    let isStopped = false
    const step = (): void => {
      const dueAt = clock.now() + askMs
      void ask()
        .catch(failed)
        .then(() => {
          if (isStopped) return
          seen()
          cancel = clock.after(Math.max(0, dueAt - clock.now()), step)
        })
    }
    step()
    return () => {
      isStopped = true
      cancel()
    }
  }
  const publishOn = (): (() => void) => {
    let cancel = (): void => undefined
    const step = (): void => {
      publish()
      cancel = clock.after(everyMs, step)
    }
    step()
    return () => cancel()
  }

  const begin = (): void => {
    let settling: (() => void) | undefined
    const changed = (): void => {
      settling ??= clock.after(settleMs, () => {
        settling = undefined
        publish()
      })
    }
    stops = [
      ...CHANGES.map((name) => health.on(name, changed)),
      clock.after(firstMs, seen),
      askOn(),
      publishOn(),
      () => settling?.(),
    ]
  }
  const stop = (): void => {
    for (const one of stops) one()
    stops = []
    isSeen = false
  }

  return {
    get size() {
      return streams.size
    },
    add: (stream) => {
      streams.add(stream)
      if (streams.size === 1) begin()
      else publish([stream])
      return () => {
        if (streams.delete(stream) && streams.size === 0) stop()
      }
    },
    end: (last) => {
      stop()
      for (const stream of streams) stream.end(last)
      streams.clear()
    },
  }
}
