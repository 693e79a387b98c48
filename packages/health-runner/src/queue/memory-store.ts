import type { Clock } from '@baldur/health-core'
import type { QueueSettings } from '../settings/settings.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

export interface MemoryStore extends QueueStore {
  /** Of all requests and results that are kept, in bytes. */
  readonly keptBytes: number
}

/** Keeps requests and results in this process: they end with it. */
export function createMemoryStore(
  _settings: Pick<QueueSettings, 'max' | 'maxKeptBytes' | 'keepForMs'>,
  _clock: Clock,
): MemoryStore {
  throw new Error('not yet')
}
