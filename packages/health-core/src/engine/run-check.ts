import type { Clock } from '../machinery/clock.ts'
import { deadline } from '../machinery/deadline.ts'
import type { CheckEntry } from '../options/entry.ts'
import { classify } from '../rules/classify.ts'
import { problemOf, timeoutProblem } from '../rules/problem.ts'
import type { Outcome } from '../vocabulary/outcome.ts'

/**
 * Runs a check once: its connect step under one bound, then the run under another. Never rejects: throwing, hanging and
 * nonsense all become an outcome. At a bound it calls `onTimeout` once, then aborts; the promise still settles only when
 * the check itself has settled.
 */
export async function runCheck(
  {
    check,
    codes,
    timeoutMs,
    connectTimeoutMs,
  }: Pick<CheckEntry, 'check' | 'codes' | 'timeoutMs' | 'connectTimeoutMs'>,
  controller: AbortController,
  clock: Clock,
  onTimeout: (outcome: Outcome) => void,
): Promise<Outcome> {
  const { signal } = controller
  const bounded = async <T>(
    ms: number,
    awaited: 'answer' | 'connection',
    step: () => T,
  ): Promise<Awaited<T>> => {
    const cancel = deadline(ms, clock, () => {
      const problem = timeoutProblem(ms, awaited)
      onTimeout({ kind: 'timed_out', problem })
      controller.abort(new Error(problem.text))
    })
    try {
      return await step()
    } finally {
      cancel()
    }
  }
  try {
    if (check.connect !== undefined) {
      await bounded(connectTimeoutMs, 'connection', () => check.connect?.(signal))
      // a connection that came too late is for the next run
      signal.throwIfAborted()
    }
    return classify(await bounded(timeoutMs, 'answer', () => check.run(signal)), codes)
  } catch (error) {
    return { kind: 'erred', problem: problemOf(error, codes) }
  }
}
