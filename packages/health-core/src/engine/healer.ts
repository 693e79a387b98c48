import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import { guardedAbort } from '../machinery/guarded-abort.ts'
import type { CheckEntry } from '../options/entry.ts'
import { countRun, type HealState, INITIAL_HEAL_STATE, nextHeal } from '../rules/next-heal.ts'
import { formatError, logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import type { HealStep } from '../vocabulary/heal.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Problem } from '../vocabulary/outcome.ts'

/** Tries to heal one failing check. */
export interface Healer {
  /** Call when a run of the check has ended or reached its timeout. Of failed runs that only watchers requested, one counts per interval. */
  onRunEnd(isUsable: boolean, mayHeal: boolean, isWatched?: boolean): void
  /** Aborts the running attempt. */
  stop(): void
}

export function createHealer(
  {
    name,
    heal,
    codes,
  }: Pick<CheckEntry, 'name' | 'codes'> & { readonly heal: NonNullable<CheckEntry['heal']> },
  { timeoutMs, watchedIntervalMs }: { readonly timeoutMs: number; readonly watchedIntervalMs: number },
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  onStep: (step: HealStep) => void,
): Healer {
  let state: HealState = INITIAL_HEAL_STATE
  let countedAt = Number.NEGATIVE_INFINITY
  let controller: AbortController | undefined
  let isStopped = false

  /** Calls `onEnd` at the end or at the timeout, whichever comes first; settles when the attempt itself settles. */
  const attempt = async (mine: AbortController, onEnd: (problem?: Problem) => void): Promise<void> => {
    const cancel = deadline(timeoutMs, clock, () => {
      const problem = timeoutProblem(timeoutMs)
      onEnd(problem)
      mine.abort(new Error(problem.text))
    })
    try {
      await heal.run(mine.signal)
      onEnd()
    } catch (error) {
      onEnd(problemOf(error, codes))
    } finally {
      cancel()
    }
  }

  const begin = (): void => {
    const attemptNumber = state.attempts + 1
    const mine = guardedAbort((error) => {
      logger.warn(`healing ${name} failed in a listener of its signal: ${formatError(error)}`)
    })
    controller = mine
    state = { ...state, attempts: attemptNumber, isRunning: true }
    const count = `${attemptNumber} of ${heal.maxAttempts}`
    logger.info(`healing ${name}: attempt ${count} after ${state.failures} failed runs`)
    onStep({ name, kind: 'started', attempt: attemptNumber })

    let isReported = false
    const end = (problem?: Problem): void => {
      if (isReported || isStopped) return
      isReported = true
      state = { ...state, endedAt: clock.now() }
      if (problem === undefined) {
        logger.info(`healing ${name}: attempt ${count} ended`)
        onStep({ name, kind: 'succeeded', attempt: attemptNumber })
      } else {
        logger.warn(`healing ${name}: attempt ${count} failed: ${logMessage(problem)}`)
        onStep({ name, kind: 'failed', attempt: attemptNumber, problem })
      }
    }
    void attempt(mine, end).then(() => {
      state = { ...state, isRunning: false }
    })
  }

  return {
    onRunEnd: (isUsable, mayHeal, isWatched = false) => {
      if (isWatched && !isUsable && clock.now() - countedAt < watchedIntervalMs) return
      countedAt = clock.now()
      state = countRun(state, isUsable)
      if (!mayHeal) return
      const next = nextHeal(state, clock.now(), heal)
      if (next === 'heal') begin()
      if (next !== 'give_up') return
      state = { ...state, isGivenUp: true }
      logger.error(`healing ${name}: giving up after ${state.attempts} attempts, until it is usable again`)
      onStep({ name, kind: 'exhausted', attempt: state.attempts })
    },
    stop: () => {
      isStopped = true
      controller?.abort(new Error('health is closed'))
    },
  }
}
