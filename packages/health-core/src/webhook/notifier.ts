import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import { judgeNotice } from '../rules/judge-notice.ts'
import { logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import { renderNotice } from '../rules/render-notice.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Escalation } from '../vocabulary/watchdog.ts'

/** Sends once and says with which status it was answered. When the signal aborts it lets go. */
export type Post = (notice: object, signal: AbortSignal) => Promise<number>

/** Brings notices to one receiver, one after the other. Nobody waits for it. */
export interface Notifier {
  send(escalation: Escalation): void
  /** Lets go of what is under way, and forgets what waits. */
  stop(): void
}

export interface NoticeBounds {
  readonly attempts: number
  readonly timeoutMs: number
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  /** How many may wait. */
  readonly line: number
}

/** Why nothing arrived. No check is involved, so that an error without a code speaks for itself. */
function whyOf(error: unknown): string {
  const problem = problemOf(error)
  return problem.code === 'ERROR' ? (problem.detail ?? 'an error that says nothing') : logMessage(problem)
}

export function createNotifier(
  { origin, post }: { readonly origin: string; readonly post: Post },
  bounds: NoticeBounds,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Notifier {
  /** Components whose escalation did not arrive: there is nothing to call off. */
  const undelivered = new Set<string>()
  let line: readonly Escalation[] = []
  let isSending = false
  let letGo: (() => void) | undefined
  let isStopped = false

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      letGo = () => {
        cancel()
        resolve()
      }
    })

  /** What went wrong, and whether it may go better; undefined when it has arrived. */
  const attempt = async (notice: object): Promise<{ why: string; isFinal: boolean } | undefined> => {
    const controller = new AbortController()
    letGo = () => controller.abort(new Error('health is closed'))
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
      const then = isLast ? 'it is given up' : 'it is tried again'
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
    for (let next = line[0]; next !== undefined && !isStopped; next = line[0]) {
      line = line.slice(1)
      await deliver(next)
    }
    isSending = false
  }

  return {
    send: (escalation) => {
      if (isStopped) return
      if (line.length >= bounds.line) {
        logger.warn(
          `watchdog: too many notices wait for ${origin}, that of ${escalation.component} is dropped`,
        )
        return
      }
      line = [...line, escalation]
      void work()
    },
    stop: () => {
      isStopped = true
      line = []
      letGo?.()
    },
  }
}
