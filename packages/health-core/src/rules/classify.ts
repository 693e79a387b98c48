import type { Outcome } from '../vocabulary/outcome.ts'
import { problem, problemOf } from './problem.ts'

/** Turns whatever a check returned into an outcome. Only documented results count as usable. */
export function classify(result: unknown): Outcome {
  try {
    if (result === undefined || result === true) return { kind: 'usable' }
    if (result === false) return { kind: 'unusable', problem: problem('NOT_USABLE') }
    if (typeof result === 'object' && result !== null) {
      const { usable, code } = result as { usable?: unknown; code?: unknown }
      if (usable === true) return { kind: 'usable' }
      if (usable === false) {
        return { kind: 'unusable', problem: problem(typeof code === 'string' ? code : 'NOT_USABLE') }
      }
    }
    return { kind: 'erred', problem: problem('INVALID_RESULT') }
  } catch (error) {
    return { kind: 'erred', problem: problemOf(error) }
  }
}
