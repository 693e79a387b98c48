import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import { judgeNotice } from '../rules/judge-notice.ts'
import { logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import { renderNotice } from '../rules/render-notice.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Escalation } from '../vocabulary/watchdog.ts'

/** Sends a notice once and resolves with the response status. Rejects and drops the connection when the signal aborts. */
export type Post = (notice: object, signal: AbortSignal) => Promise<number>

/** Sends notices to one receiver in the background, one after the other. */
export interface Notifier {
  send(escalation: Escalation): void
  /** Cancels the current attempt and drops pending notices. */
  stop(): void
}

export interface NoticeBounds {
  readonly attempts: number
  readonly timeoutMs: number
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  /** Largest number of pending notices; further ones are dropped. */
  readonly maxPending: number
}

/** The reason for a failed delivery; an error without a known code is shown by its own message. */
function whyOf(error: unknown): string {
  const problem = problemOf(error)
  return problem.code === 'ERROR' ? (problem.detail ?? 'an error without a message') : logMessage(problem)
}

export function createNotifier(
  { origin, post }: { readonly origin: string; readonly post: Post },
  bounds: NoticeBounds,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Notifier {
  /** Components whose escalation was not delivered: their recovery is not sent either. */
  const undelivered = new Set<string>()
  let queue: readonly Escalation[] = []
  let isSending = false
  let cancelCurrent: (() => void) | undefined
  let isStopped = false

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      cancelCurrent = () => {
        cancel()
        resolve()
      }
    })

  /** Sends once; resolves with the reason of a failure and whether it is final, or undefined when the notice was delivered. */
  const attempt = async (notice: object): Promise<{ why: string; isFinal: boolean } | undefined> => {
    const controller = new AbortController()
    cancelCurrent = () => controller.abort(new Error('health is closed'))
    const cancel = deadline(bounds.timeoutMs, clock, () => {
      controller.abort(new Error(timeoutProblem(bounds.timeoutMs).text))
    })
    try {
      const status = await post(notice, controller.signal)
      const judged = judgeNotice(status)
      return judged === 'delivered'
        ? undefined
        : { why: `it answered ${status}`, isFinal: judged === 'refused' }
    } catch (error) {
      return { why: whyOf(error), isFinal: false }
    } finally {
      cancel()
    }
  }

  const deliver = async (escalation: Escalation): Promise<void> => {
    const { kind, component } = escalation
    if (kind === 'recovery' && undelivered.delete(component)) return
    undelivered.delete(component)
    const notice = renderNotice(escalation)
    for (let tried = 1; !isStopped; tried++) {
      const failure = await attempt(notice)
      if (failure === undefined) return
      if (isStopped) return
      const isLast = failure.isFinal || tried >= bounds.attempts
      const then = isLast ? `giving up after ${tried} ${tried === 1 ? 'attempt' : 'attempts'}` : 'retrying'
      if (isLast || tried === 1) {
        logger.warn(`watchdog: the ${kind} of ${component} did not reach ${origin} (${failure.why}): ${then}`)
      }
      if (isLast) {
        if (kind === 'escalation') undelivered.add(component)
        return
      }
      await pause(Math.min(bounds.longestBackoffMs, bounds.firstBackoffMs * 2 ** (tried - 1)))
    }
  }

  const work = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    for (let next = queue[0]; next !== undefined && !isStopped; next = queue[0]) {
      queue = queue.slice(1)
      await deliver(next)
    }
    isSending = false
  }

  return {
    send: (escalation) => {
      if (isStopped) return
      if (queue.length >= bounds.maxPending) {
        logger.warn(
          `watchdog: too many notices pending for ${origin}, the one of ${escalation.component} is dropped`,
        )
        return
      }
      queue = [...queue, escalation]
      void work()
    },
    stop: () => {
      isStopped = true
      queue = []
      cancelCurrent?.()
    },
  }
}
