import type { Clock, Logger } from '@baldur/health-core'
import type { Exchange } from '../vocabulary/exchange.ts'
import type { Fleet } from '../vocabulary/fleet.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

/** What a queue works with. */
export interface QueueParts {
  readonly fleet: Pick<Fleet, 'take' | 'onRoom'>
  readonly exchange: Exchange
  readonly store: QueueStore
  readonly logger: Logger
  readonly clock: Clock
  /** Between 0 and 1, for the jitter. @default Math.random */
  readonly random?: (() => number) | undefined
}
