import type { Outcome } from '../vocabulary/outcome.ts'
import { type Codes, problem, problemOf } from './problem.ts'

/** Turns whatever a check returned into an outcome. Only documented results count as usable. `codes` are the check's own. */
export function classify(result: unknown, codes?: Codes): Outcome {
  try {
    if (result === undefined || result === true) return { kind: 'usable' }
    if (result === false) return { kind: 'unusable', problem: problem('NOT_USABLE') }
    if (typeof result === 'object' && result !== null) {
      const { usable, code } = result as { usable?: unknown; code?: unknown }
      if (usable === true) return { kind: 'usable' }
      if (usable === false) {
        const known = typeof code === 'string' ? code : 'NOT_USABLE'
        return { kind: 'unusable', problem: problem(known, undefined, codes) }
      }
    }
    return { kind: 'erred', problem: problem('INVALID_RESULT') }
  } catch (error) {
    return { kind: 'erred', problem: problemOf(error, codes) }
  }
}
