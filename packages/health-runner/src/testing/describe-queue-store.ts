import type { QueueSettings } from '../settings/settings.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

export interface StoreUnderTest {
  readonly store: QueueStore
  /** The wall clock that the store goes by, in milliseconds. */
  wall(): number
  /** Lets so many milliseconds go by. */
  advance(ms: number): Promise<void>
}

export type MakeStore = (
  settings: Pick<QueueSettings, 'max' | 'maxKeptBytes' | 'keepForMs'>,
) => Promise<StoreUnderTest>

/** What every store of the queue has to do. Times are short enough to be waited for. */
export function describeQueueStore(_name: string, _makeStore: MakeStore): void {
  throw new Error('not yet')
}
