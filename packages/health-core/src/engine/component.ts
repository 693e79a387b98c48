import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import { guardedAbort } from '../machinery/guarded-abort.ts'
import { statusOf } from '../rules/judge-watchdog.ts'
import { formatError, logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { WatchdogStatus } from '../vocabulary/watchdog.ts'

/** What one look saw, and why where the look itself went wrong. */
export interface Look {
  /** Absent: the component is off at the moment. */
  readonly status?: WatchdogStatus
  readonly why?: string
}

/** One component and the one look at it that may be outstanding. */
export interface Component {
  readonly name: string
  /** Never rejects, and ends within the timeout. */
  look(): Promise<Look>
  /** Aborts what is outstanding. */
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
        return Promise.resolve({ status: 'unknown', why: 'the look before has not ended' })
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
