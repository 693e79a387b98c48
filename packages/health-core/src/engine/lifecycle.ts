import { advance, INITIAL_LIFECYCLE, type LifecycleStep, phaseOf, startupOf } from '../rules/advance.ts'
import { errorReason, formatError } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { DrainInfo, DrainSteps, Phase } from '../vocabulary/phase.ts'
import type { PhaseStatus } from '../vocabulary/view.ts'
import { checkDrainInfo } from './check-drain-info.ts'

/** The phase of the instance's life, and the calls that change it. */
export interface LifecycleControl {
  readonly phase: Phase
  readonly startup: 'starting' | 'started' | 'failed'
  /** The phase that replaces a status: draining beats failed beats starting. */
  readonly instead: PhaseStatus | undefined
  /** A setup is running or has failed. */
  readonly isHeldBack: boolean
  /** The info of the drain; undefined before it begins. */
  readonly drain: DrainInfo | undefined
  /** Number of requests in flight, as the drain counts them; 0 when its function fails. */
  inFlight(): number
  /** Marks the instance as started on its first answer, unless a setup is pending or has failed. */
  markAnswered(): void
  setup<T>(fn: () => T | Promise<T>): Promise<T>
  beginDrain(info?: DrainInfo): DrainSteps
}

export function createLifecycle(
  logger: Logger,
  onPhase: (change: { readonly from: Phase; readonly to: Phase }) => void,
): LifecycleControl {
  let state = INITIAL_LIFECYCLE
  let drain: DrainInfo | undefined
  let wasReportedStarted = false
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
    if (wasReportedStarted) {
      logger.warn('setup() called after probes already reported started; call it before listening')
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
        // this runs on every probe during the drain; one line is enough
        if (!isCountReported) logger.error(`counting requests in flight failed: ${formatError(error)}`)
        isCountReported = true
        return 0
      }
    },
    markAnswered: () => {
      if (state.pending > 0 || state.failed) return
      wasReportedStarted = true
      step('answered')
    },
    setup: (fn) => {
      const ended = runSetup(fn)
      // logged above and visible in every probe; an unawaited setup must not end the process
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
