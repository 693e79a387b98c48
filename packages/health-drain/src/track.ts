import type { ServerResponse } from 'node:http'
import type { Logger } from '@baldur/health-core'
import { createProblems, formatError, hasFunctions } from '@baldur/health-core/internal'
import type { Drain } from './drain.ts'
import type { InFlight } from './server/in-flight.ts'

/** Counts work that no server shows. */
export const createTrack =
  (inFlight: InFlight, logger: Logger): Drain['track'] =>
  (work, label = 'tracked work') => {
    const problems = createProblems()
    const isPromise = hasFunctions(work, ['then'])
    if (!isPromise && !hasFunctions(work, ['once', 'destroy'])) {
      problems.add('track', 'a promise, or the response of a request', work)
    }
    problems.throwIfAny()
    if (isPromise) {
      if (!inFlight.add(work, { label })) return work
      const remove = (): void => inFlight.remove(work)
      // a rejection that its owner forgets would be silent, now that somebody has listened for it
      ;(work as PromiseLike<unknown>).then(remove, (error: unknown) => {
        remove()
        logger.warn(`drain: ${label} failed: ${formatError(error)}`)
      })
      return work
    }
    const response = work as ServerResponse
    if (response.destroyed || response.writableFinished) return work
    if (inFlight.add(response, { label, abort: () => void response.destroy() })) {
      response.once('close', () => inFlight.remove(response))
    }
    return work
  }
