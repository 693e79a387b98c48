import { logMessage } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Outcome } from '../vocabulary/outcome.ts'

const wordOf = (outcome: Outcome): string => (outcome.kind === 'usable' ? 'usable' : outcome.problem.code)

/** Logs one line whenever the outcome of a check changes. A first success is not logged. */
export function createOutcomeReport(name: string, logger: Logger): (outcome: Outcome) => void {
  let last = 'usable'
  return (outcome) => {
    const word = wordOf(outcome)
    if (word === last) return
    last = word
    if (outcome.kind === 'usable') logger.warn(`check ${name} is usable again`)
    else logger.warn(`check ${name} is not usable: ${logMessage(outcome.problem)}`)
  }
}
