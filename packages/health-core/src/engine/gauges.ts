import { formatError } from '../rules/problem.ts'
import type { Check, Gauges } from '../vocabulary/check.ts'
import type { Logger } from '../vocabulary/logger.ts'

/** Returns a check's gauges without values other than strings, finite numbers and booleans; empty when `stats` throws. */
export function gaugesOf(check: Check, logger: Logger): Gauges {
  try {
    const isGauge = (value: unknown): boolean =>
      typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    return Object.fromEntries(Object.entries(check.stats?.() ?? {}).filter(([, value]) => isGauge(value)))
  } catch (error) {
    logger.debug(`the gauges of ${check.name} cannot be read: ${formatError(error)}`)
    return {}
  }
}
