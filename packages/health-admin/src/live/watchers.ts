import type { Clock, Logger } from '@baldur/health-core'
import { tell } from '@baldur/health-core/shared'
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
  readonly health: Pick<AdminHealth, 'on' | 'verdict' | 'readiness'>
  /** Everything that is shown; asks the caches. */
  readonly look: () => Promise<AdminState>
  /** Between two states, and between two computations; in milliseconds. */
  readonly everyMs: number
  readonly askMs: number
  readonly settleMs: number
  readonly clock: Clock
  readonly logger: Logger
}

const CHANGES = ['check', 'phase', 'verdict', 'watchdog', 'heal'] as const

/** While somebody watches the checks run once a second, however many do: a picture that nobody refreshes shows a dead database as alive. */
export function createWatchers(parts: WatchersParts): Watchers {
  const { health, look, everyMs, askMs, settleMs, clock, logger } = parts
  const streams = new Set<EventStream>()
  let stops: (() => void)[] = []
  let isLooking = false
  let hasNews = false

  const failed = (error: unknown): void => logger.error(`admin: looking for watchers failed: ${tell(error)}`)

  /** Tells everybody; what happens meanwhile is told after it. */
  const publish = async (): Promise<void> => {
    if (isLooking) {
      hasNews = true
      return
    }
    isLooking = true
    try {
      do {
        hasNews = false
        const state = JSON.stringify(await look())
        for (const stream of streams) stream.send('state', state)
      } while (hasNews && streams.size > 0)
    } catch (error) {
      failed(error)
    } finally {
      isLooking = false
    }
  }

  /** Does something again and again, so long after it began, or at once when it took longer. */
  const repeat = (act: () => Promise<unknown>, intervalMs: number): (() => void) => {
    let cancel = (): void => undefined
    let isStopped = false
    const step = (): void => {
      const dueAt = clock.now() + intervalMs
      void act()
        .catch(failed)
        .then(() => {
          if (!isStopped) cancel = clock.after(Math.max(0, dueAt - clock.now()), step)
        })
    }
    step()
    return () => {
      isStopped = true
      cancel()
    }
  }

  const begin = (): void => {
    let settling: (() => void) | undefined
    const changed = (): void => {
      settling ??= clock.after(settleMs, () => {
        settling = undefined
        void publish()
      })
    }
    stops = [
      ...CHANGES.map((name) => health.on(name, changed)),
      repeat(() => Promise.all([health.verdict({ nocache: true }), health.readiness()]), askMs),
      repeat(publish, everyMs),
      () => settling?.(),
    ]
  }
  const stop = (): void => {
    for (const one of stops) one()
    stops = []
  }

  return {
    get size() {
      return streams.size
    },
    add: (stream) => {
      streams.add(stream)
      if (streams.size === 1) begin()
      else void publish()
      return () => {
        streams.delete(stream)
        if (streams.size === 0) stop()
      }
    },
    end: (last) => {
      stop()
      for (const stream of streams) stream.end(last)
      streams.clear()
    },
  }
}
