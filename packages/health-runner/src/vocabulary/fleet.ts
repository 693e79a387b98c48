import type { RequestOutcome } from './request-outcome.ts'
import type { EndReason, RunnerState } from './runner-state.ts'

/** Who waits for the answer: a client on its connection, or the queue. */
export type RequestKind = 'direct' | 'queued'

/** Where a runner is reached. */
export interface RunnerAddress {
  /** Names this process, and no later one: `2.5` is the fifth process in the second place. */
  readonly name: string
  readonly pid: number
  readonly host: string
  readonly port: number
}

/** The right to give one request to one runner. */
export interface Lease {
  readonly runner: RunnerAddress
  /** The status of its answer, at the head: after a 503 the runner is given nothing more. */
  head(status: number): void
  /** The request is over for the runner, and showed this. Once; further calls change nothing. */
  end(outcome: RequestOutcome): void
}

/** The runners, as those see them who have requests for them. */
export interface Fleet {
  /** The next free runner in turn, a held one only when no other is free; undefined when none is. */
  take(kind: RequestKind): Lease | undefined
  /** Is told whenever a `take` that found none might find one. Returns what takes it off. */
  onRoom(listener: () => void): () => void
  /** Whether any runner is ready, busy ones included. */
  readonly hasReady: boolean
  snapshot(): FleetSnapshot
}

export interface RunnerSnapshot {
  readonly name: string
  /** Undefined while there is no process. */
  readonly pid: number | undefined
  readonly state: RunnerState
  /** Requests in flight on it. */
  readonly direct: number
  readonly queued: number
  /** Requests that it has answered below 500. */
  readonly served: number
  /** It was to be ended, and the guard kept it. */
  readonly isHeld: boolean
}

export interface FleetSnapshot {
  /** How many runners there are to be. */
  readonly wanted: number
  readonly runners: readonly RunnerSnapshot[]
  /** Endings that the guard counts at the moment, and how many it allows. */
  readonly guard: { readonly ended: number; readonly allowed: number }
}

/** A runner went from one state to another. */
export interface RunnerEvent {
  readonly name: string
  readonly pid: number | undefined
  readonly from: RunnerState | undefined
  /** `gone` when its process has ended. */
  readonly to: RunnerState | 'gone'
  readonly reason?: EndReason | undefined
  /** The reason in words: the exit code, the status, how long it had taken. */
  readonly detail?: string | undefined
}

/** The guard kept a runner that was to be ended. */
export interface GuardEvent {
  readonly name: string
  readonly reason: EndReason
  readonly ended: number
  readonly allowed: number
}
