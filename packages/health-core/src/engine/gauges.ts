import { formatError } from '../rules/problem.ts'
import type { Check, Gauges } from '../vocabulary/check.ts'
import type { Logger } from '../vocabulary/logger.ts'

/** A check's gauges; what is no string, finite number or boolean is left out, and so are all when `stats` throws. */
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
