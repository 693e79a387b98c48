import type { Lease, RunnerAddress } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

export interface LeaseParts {
  readonly runner: RunnerAddress
  /** The head of a 503. */
  onIllHead(lease: Lease): void
  /** Once. `wasIll`: its head was a 503. */
  onEnd(lease: Lease, outcome: RequestOutcome, wasIll: boolean): void
}

export function createLease({ runner, onIllHead, onEnd }: LeaseParts): Lease {
  let isOver = false
  let wasIll = false
  const lease: Lease = {
    runner,
    head: (status) => {
      if (isOver || wasIll || status !== 503) return
      wasIll = true
      onIllHead(lease)
    },
    end: (outcome) => {
      if (isOver) return
      isOver = true
      onEnd(lease, outcome, wasIll)
    },
  }
  return lease
}
