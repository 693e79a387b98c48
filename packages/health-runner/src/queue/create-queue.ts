import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Logger } from '@baldur/health-core'
import type { QueueSettings } from '../settings/settings.ts'
import type { Exchange } from '../vocabulary/exchange.ts'
import type { Fleet } from '../vocabulary/fleet.ts'
import type { QueueCounts, QueueStore } from '../vocabulary/queue-store.ts'

export interface QueueParts {
  readonly fleet: Pick<Fleet, 'take' | 'onRoom'>
  readonly exchange: Exchange
  readonly store: QueueStore
  readonly logger: Logger
  readonly clock: Clock
  /** Between 0 and 1, for the jitter. @default Math.random */
  readonly random?: (() => number) | undefined
}

export interface Queue {
  /** True when the path is the queue's, which answers then. Also what the server's `checkContinue` is to be given to. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** From now on runners are given requests. */
  start(): void
  /** From now on a request is answered 503; those accepted before go on. */
  stopAccepting(): void
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>
  counts(): Promise<QueueCounts>
  unfinished(): ReturnType<QueueStore['unfinished']>
  /** No further attempt begins. Closes the store. */
  close(): Promise<void>
}

/** The queue: its endpoints, and what gives its requests to runners. */
export function createQueue(_settings: QueueSettings, _parts: QueueParts): Queue {
  throw new Error('not yet')
}
