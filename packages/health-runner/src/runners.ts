import type { Drain } from '@baldur/health-drain'
import type { FleetSnapshot, GuardEvent, RunnerEvent } from './vocabulary/fleet.ts'
import type { QueueCounts } from './vocabulary/queue-store.ts'

export interface RunnersEvents {
  /** A runner went from one state to another. */
  readonly runner: RunnerEvent
  /** The guard kept a runner that was to be ended. */
  readonly guard: GuardEvent
}

export interface RunnersSnapshot {
  readonly fleet: FleetSnapshot
  /** Direct requests that wait for a free runner. */
  readonly waiting: number
  readonly queue: QueueCounts
}

/** Supervised processes behind a gateway and a queue. */
export interface Runners {
  /** Of the gateway. */
  readonly url: string
  readonly port: number
  /** How many runners there are to be from now on. More are started; of those too many the idle ones go first, the others when their requests have ended. */
  scale(runners: number): void
  snapshot(): Promise<RunnersSnapshot>
  /** Returns what takes the listener off. */
  on<Name extends keyof RunnersEvents>(name: Name, listener: (event: RunnersEvents[Name]) => void): () => void
  /** Ends everything in order: readiness, the gateway's listener, requests and the queue, the runners. For `drainOnSignals`. */
  readonly drain: Drain
  /** Ends everything without waiting for requests; the runners get SIGTERM, then SIGKILL. Resolves when no process is left. */
  close(): Promise<void>
}
