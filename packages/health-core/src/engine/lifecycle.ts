import { advance, type LifecycleStep, NEWBORN, phaseOf, startupOf } from '../rules/advance.ts'
import { errorReason, formatError } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { DrainInfo, DrainSteps, Phase } from '../vocabulary/phase.ts'
import type { PhaseStatus } from '../vocabulary/view.ts'
import { checkDrainInfo } from './check-drain-info.ts'

/** Where the instance is in its life. */
export interface LifecycleControl {
  readonly phase: Phase
  readonly startup: 'starting' | 'started' | 'failed'
  /** The phase that takes the place of a status: draining beats failed beats starting. */
  readonly instead: PhaseStatus | undefined
  /** A setup is under way, or has failed. */
  readonly isHeldBack: boolean
  /** What the drain that began told; absent before. */
  readonly drain: DrainInfo | undefined
  /** Requests in flight, as the drain counts them; 0 when it cannot say. */
  inFlight(): number
  /** Without a setup an instance has started once it answers. */
  answered(): void
  setup<T>(fn: () => T | Promise<T>): Promise<T>
  beginDrain(info?: DrainInfo): DrainSteps
}

export function createLifecycle(
  logger: Logger,
  onPhase: (change: { readonly from: Phase; readonly to: Phase }) => void,
): LifecycleControl {
  let state = NEWBORN
  let drain: DrainInfo | undefined
  let wasToldStarted = false
  let isCountReported = false

  const step = (name: LifecycleStep): void => {
    const from = phaseOf(state)
    state = advance(state, name)
    const to = phaseOf(state)
    if (from !== to) onPhase({ from, to })
  }
  const steps: DrainSteps = {
    terminating: () => step('terminating'),
    terminated: () => step('terminated'),
  }

  const runSetup = async <T>(fn: () => T | Promise<T>): Promise<T> => {
    if (wasToldStarted) {
      logger.warn('a setup begins after probes were answered as started; call setup() before listening')
    }
    step('setup_began')
    try {
      const result = await fn()
      step('setup_ended')
      return result
    } catch (error) {
      step('setup_failed')
      logger.error(`setup failed, this instance never gets ready: ${errorReason(error)}`)
      throw error
    }
  }

  return {
    get phase() {
      return phaseOf(state)
    },
    get startup() {
      return startupOf(state)
    },
    get instead() {
      if (state.exit !== 'none') return 'draining'
      const startup = startupOf(state)
      return startup === 'started' ? undefined : startup
    },
    get isHeldBack() {
      return state.pending > 0 || state.failed
    },
    get drain() {
      return drain
    },
    inFlight: () => {
      try {
        const count = drain?.inFlight?.() ?? 0
        return Number.isInteger(count) ? Math.max(0, count) : 0
      } catch (error) {
        // the drain goes on being told of; one line is enough
        if (!isCountReported) logger.error(`counting requests in flight failed: ${formatError(error)}`)
        isCountReported = true
        return 0
      }
    },
    answered: () => {
      if (state.pending > 0 || state.failed) return
      wasToldStarted = true
      step('answered')
    },
    setup: (fn) => {
      const ended = runSetup(fn)
      // told above and in every probe; a caller who does not wait for it must not lose the process over it
      ended.catch(() => undefined)
      return ended
    },
    beginDrain: (info = {}) => {
      checkDrainInfo(info)
      drain ??= info
      step('draining')
      return steps
    },
  }
}
