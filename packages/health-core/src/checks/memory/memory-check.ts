import { MEMORY, MEMORY_FALL } from '../../options/defaults.ts'
import { createProblems } from '../../options/problems.ts'
import { readNumber } from '../../options/read-number.ts'
import { judgeMemory } from '../../rules/judge-memory.ts'
import type { Check } from '../../vocabulary/check.ts'
import { type CheckOptions, readCheckOptions } from '../read-check-options.ts'
import { measureMemory } from './measure-memory.ts'

/** Options of `memoryCheck`. */
export interface MemoryCheckOptions extends CheckOptions {
  /** The check reads not usable when memory reaches this share of a limit, in percent. @default 90 */
  readonly maxPercent?: number
}

/**
 * Checks the heap against V8's limit and the memory of the container against its control group's, whichever is nearer. Not
 * critical unless you say so, and only 3 runs in a row count (`fall`): an instance that is taken out sheds its load on
 * others that may be as full. Throws a `HealthConfigError` that lists every problem.
 */
export function memoryCheck(options: MemoryCheckOptions = {}): Check {
  const problems = createProblems()
  const { own, policy } = readCheckOptions('memoryCheck', options, ['maxPercent'], problems)
  const maxPercent = readNumber('memoryCheck.maxPercent', own.maxPercent, MEMORY.maxPercent, problems)
  problems.throwIfAny()
  return {
    name: 'memory',
    critical: false,
    fall: MEMORY_FALL,
    ...policy,
    run: async () => judgeMemory(await measureMemory(), maxPercent),
  }
}
