import { type ConfigProblem, HealthConfigError, type Logger } from '@baldur/health-core'
import { createDrain, type DrainOptions } from '@baldur/health-drain'

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** What is wrong with the options of a drain, and with the variables that it reads; the drain's own options by their paths in it. */
export function drainProblems(options: DrainOptions): readonly ConfigProblem[] {
  try {
    createDrain({ ...options, logger: SILENT }).close()
    return []
  } catch (error) {
    if (error instanceof HealthConfigError) return error.problems
    throw error
  }
}
