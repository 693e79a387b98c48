import { createHealer, type Healer } from './engine/healer.ts'
import { createSelfHealing, type SelfHealing } from './engine/self-healing.ts'
import { HEAL_TIMEOUT_MS } from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import type { HealStep } from './vocabulary/heal.ts'
import type { Logger } from './vocabulary/logger.ts'

/** A healer for each check that brings one, under the switch. */
export function buildHealing(
  { entries, selfHealing, clock, verdict }: Settings,
  logger: Logger,
  onStep: (step: HealStep) => void,
): SelfHealing {
  // as often as the refresher, whose runs they take the place of
  const bounds = { timeoutMs: HEAL_TIMEOUT_MS, watchedIntervalMs: verdict.refreshIntervalMs }
  const healers = entries.flatMap(({ name, heal }): [string, Healer][] =>
    heal === undefined ? [] : [[name, createHealer({ name, heal }, bounds, { clock, logger }, onStep)]],
  )
  return createSelfHealing(new Map(healers), selfHealing, logger)
}
