import type { Logger } from '@baldur/health-core'
import { backoff } from '../rules/backoff.ts'
import { isRetried } from '../rules/is-retried.ts'
import { QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { QueueAttempt, QueueStore } from '../vocabulary/queue-store.ts'
import type { AttemptEnd } from './run-attempt.ts'
import type { StoreCalls } from './store-calls.ts'

interface Parts {
  readonly store: Pick<QueueStore, 'retry' | 'finish'>
  readonly calls: Pick<StoreCalls, 'untilDone'>
  readonly logger: Logger
  readonly random: () => number
}

/** Tells the store what became of an attempt: there is another one, or this was the result. Never rejects. */
export async function settleAttempt(
  attempt: QueueAttempt,
  { outcome, answer, words }: AttemptEnd,
  settings: Pick<QueueSettings, 'attempts' | 'backoffMs' | 'maxBackoffMs'>,
  { store, calls, logger, random }: Parts,
): Promise<void> {
  const { request, attempt: number, releasedTakes } = attempt
  const hasBegun = outcome.kind === 'answered' || outcome.kind === 'failed'
  const tries = { attempt: number, releasedTakes, attempts: settings.attempts, noRetry: request.noRetry }
  const isAgain = isRetried(outcome, tries)
  const delays = { ...settings, jitterShare: QUEUE_FIXED.jitterShare }
  // the first time that no runner had it, another one may have it at once
  const delayMs = backoff(hasBegun ? number : releasedTakes, delays, random())
  const attempts = hasBegun ? number : number - 1

  const line = `queue: request ${request.id}, attempt ${number}: ${words}`
  if (isAgain) logger.info(`${line}; again in ${Math.round(delayMs)} ms`)
  else if (isRetried(outcome, { ...tries, attempts: Number.POSITIVE_INFINITY }))
    logger.warn(`${line}; given up, these were all attempts`)

  const done = await calls.untilDone(async () => {
    if (isAgain) await store.retry(attempt, delayMs, hasBegun)
    else await store.finish(request.id, { ...answer, attempts })
    return true
  })
  if (done === undefined) logger.error(`${line}; the store could not be told`)
}
