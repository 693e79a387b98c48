import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'
import type { DrainInfo } from '../vocabulary/phase.ts'

/** Throws a `HealthConfigError` for drain info of the wrong type, before the drain begins. */
export function checkDrainInfo(info: DrainInfo): void {
  const problems: ConfigProblem[] = []
  const refuse = (path: string, expected: string, value: unknown): void => {
    const got = value === null || typeof value === 'number' ? String(value) : `a ${typeof value}`
    problems.push({ path, expected, got })
  }
  if (typeof info !== 'object' || info === null) refuse('beginDrain', 'an object', info)
  else {
    const { retryAfterSeconds, inFlight } = info
    const isCount = Number.isInteger(retryAfterSeconds) && Number(retryAfterSeconds) >= 0
    if (retryAfterSeconds !== undefined && !isCount) {
      refuse('beginDrain.retryAfterSeconds', 'whole seconds, 0 or more', retryAfterSeconds)
    }
    if (inFlight !== undefined && typeof inFlight !== 'function') {
      refuse('beginDrain.inFlight', 'a function that returns a count', inFlight)
    }
  }
  if (problems.length > 0) throw new HealthConfigError(problems)
}
