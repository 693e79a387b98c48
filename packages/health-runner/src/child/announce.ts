import type { Clock, Logger } from '@baldur/health-core'
import { errorReason } from '@baldur/health-core/internal'
import { SERVE } from '../settings/defaults.ts'
import { type Heard, say } from './say.ts'

/** Tells the supervisor how far this runner is. Nothing rejects: a runner without its supervisor goes on. */
export interface Announcer {
  /** Whether the supervisor knows that an open port means nothing yet. */
  setup(): Promise<boolean>
  ready(): Promise<void>
  failed(error: unknown): Promise<void>
}

const NOBODY: Announcer = {
  setup: async () => true,
  ready: async () => undefined,
  failed: async () => undefined,
}

export function createAnnouncer(
  supervisor: { readonly path: string; readonly name: string } | undefined,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): Announcer {
  if (supervisor === undefined) return NOBODY
  const { path, name } = supervisor
  const ways = { clock, withinMs: SERVE.acknowledgeMs }
  const why = (heard: Heard): string =>
    heard === 'gone' ? 'cannot be reached' : `has not answered in ${SERVE.acknowledgeMs} ms`
  return {
    setup: async () => {
      const heard = await say(path, { name, say: 'setup' }, ways)
      if (heard !== 'acknowledged')
        logger.warn(`runner ${name}: its supervisor ${why(heard)}; the port opens when the setup has ended`)
      return heard === 'acknowledged'
    },
    ready: async () => {
      let heard: Heard = 'unheard'
      for (let times = 0; times < SERVE.sayings && heard === 'unheard'; times++)
        heard = await say(path, { name, say: 'ready' }, ways)
      if (heard !== 'acknowledged')
        logger.warn(`runner ${name}: is ready, and its supervisor ${why(heard)}; it goes on without`)
    },
    failed: async (error) => {
      const heard = await say(path, { name, say: 'failed', error: errorReason(error) }, ways)
      // its end says it too
      if (heard !== 'acknowledged') logger.warn(`runner ${name}: its supervisor ${why(heard)}`)
    },
  }
}
