import { createHealer, type Healer } from './engine/healer.ts'
import { createSelfHealing, type SelfHealing } from './engine/self-healing.ts'
import { HEAL_TIMEOUT_MS, WATCH_INTERVAL_MS } from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import type { HealStep } from './vocabulary/heal.ts'
import type { Logger } from './vocabulary/logger.ts'

/** Creates a healer for each check with a `heal` option, all under one switch. */
export function buildHealing(
  { entries, selfHealing, clock, readiness, verdict }: Settings,
  logger: Logger,
  onStep: (step: HealStep) => void,
): SelfHealing {
  // as often as probes could run the check, since these runs replace theirs
  const watchedIntervalMs = Math.min(
    Math.max(readiness.cacheTtlMs, WATCH_INTERVAL_MS),
    verdict.refreshIntervalMs,
  )
  const bounds = { timeoutMs: HEAL_TIMEOUT_MS, watchedIntervalMs }
  const healers = entries.flatMap(({ name, codes, heal }): [string, Healer][] =>
    heal === undefined
      ? []
      : [[name, createHealer({ name, codes, heal }, bounds, { clock, logger }, onStep)]],
  )
  return createSelfHealing(new Map(healers), selfHealing, logger)
}
