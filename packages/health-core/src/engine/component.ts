import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import { guardedAbort } from '../machinery/guarded-abort.ts'
import { statusOf } from '../rules/judge-watchdog.ts'
import { formatError, logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { WatchdogStatus } from '../vocabulary/watchdog.ts'

/** The result of one look, with the reason when the look itself failed. */
export interface Look {
  /** Absent while the component is off. */
  readonly status?: WatchdogStatus
  readonly why?: string
}

/** One component with at most one outstanding look. */
export interface Component {
  readonly name: string
  /** Inspects the component. Never rejects, and ends within the timeout. */
  look(): Promise<Look>
  /** Aborts the outstanding look. */
  stop(): void
}

export function createComponent(
  name: string,
  lookAt: (signal: AbortSignal) => unknown,
  timeoutMs: number,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Component {
  let outstanding: AbortController | undefined
  let cancel = (): void => undefined

  const once = async (controller: AbortController): Promise<Look> => {
    try {
      const answered = await lookAt(controller.signal)
      return answered === undefined ? {} : { status: statusOf(answered) }
    } catch (error) {
      return { status: 'unknown', why: logMessage(problemOf(error)) }
    } finally {
      outstanding = undefined
    }
  }
  return {
    name,
    look: () => {
      if (outstanding !== undefined) {
        return Promise.resolve({ status: 'unknown', why: 'the previous look has not ended' })
      }
      const controller = guardedAbort((error) => {
        logger.warn(`watchdog: ${name} failed in a listener of its signal: ${formatError(error)}`)
      })
      outstanding = controller
      return new Promise((resolve) => {
        cancel = deadline(timeoutMs, clock, () => {
          const { text } = timeoutProblem(timeoutMs)
          resolve({ status: 'unknown', why: text })
          controller.abort(new Error(text))
        })
        void once(controller).then((look) => {
          cancel()
          resolve(look)
        })
      })
    },
    stop: () => {
      cancel()
      outstanding?.abort(new Error('the watchdog has stopped'))
    },
  }
}
