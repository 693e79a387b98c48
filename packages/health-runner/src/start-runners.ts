import type { Drain } from '@baldur/health-drain'
import type { RunnersOptions } from './options.ts'
import type { FleetSnapshot, GuardEvent, RunnerEvent } from './vocabulary/fleet.ts'
import type { QueueCounts } from './vocabulary/queue-store.ts'

/** Running runners, with their gateway and their queue. */
export interface Runners {
  /** Of the gateway, without a slash at its end. */
  readonly url: string
  readonly port: number
  scale(count: number): void
  snapshot(): { readonly fleet: FleetSnapshot; readonly queue: QueueCounts }
  on(name: 'runner', listener: (event: RunnerEvent) => void): () => void
  on(name: 'guard', listener: (event: GuardEvent) => void): () => void
  readonly drain: Drain
  close(): Promise<void>
}

export async function startRunners(options: RunnersOptions): Promise<Runners> {
  throw new Error(`not made yet: ${Object.keys(options).join(', ')}`)
}
