import type { Phase } from '../vocabulary/phase.ts'

/** The state of the instance: the progress of its setups and of its exit, which are independent. */
export interface Lifecycle {
  /** Setups that have not ended. */
  readonly pending: number
  readonly failed: boolean
  /** True once an answer was given or a setup has ended. */
  readonly begun: boolean
  readonly exit: 'none' | 'draining' | 'terminating' | 'terminated'
}

export type LifecycleStep =
  | 'setup_began'
  | 'setup_ended'
  | 'setup_failed'
  | 'answered'
  | 'draining'
  | 'terminating'
  | 'terminated'

export const INITIAL_LIFECYCLE: Lifecycle = { pending: 0, failed: false, begun: false, exit: 'none' }

const EXITS = ['none', 'draining', 'terminating', 'terminated'] as const

/** The next state. A failed setup stays failed, and leaving goes forward only. */
export function advance(before: Lifecycle, step: LifecycleStep): Lifecycle {
  switch (step) {
    case 'setup_began':
      return { ...before, pending: before.pending + 1 }
    case 'setup_ended':
      return { ...before, pending: before.pending - 1, begun: true }
    case 'setup_failed':
      return { ...before, pending: before.pending - 1, failed: true }
    case 'answered':
      return before.begun ? before : { ...before, begun: true }
    case 'draining':
    case 'terminating':
    case 'terminated':
      return EXITS.indexOf(step) > EXITS.indexOf(before.exit) ? { ...before, exit: step } : before
  }
}

/** The state of the start, whatever the exit. */
export function startupOf({ failed, pending, begun }: Lifecycle): 'starting' | 'started' | 'failed' {
  if (failed) return 'failed'
  return pending > 0 || !begun ? 'starting' : 'started'
}

/** Draining beats failed beats starting. */
export const phaseOf = (lifecycle: Lifecycle): Phase =>
  lifecycle.exit === 'none' ? startupOf(lifecycle) : lifecycle.exit
