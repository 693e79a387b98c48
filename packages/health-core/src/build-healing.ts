import { createHealer, type Healer } from './engine/healer.ts'
import { createSelfHealing, type SelfHealing } from './engine/self-healing.ts'
import { HEAL_TIMEOUT_MS } from './options/defaults.ts'
import type { Settings } from './options/settings.ts'
import type { HealStep } from './vocabulary/heal.ts'
import type { Logger } from './vocabulary/logger.ts'

/** A healer for each check that brings one, under the switch. */
export function buildHealing(
  { entries, selfHealing, clock }: Settings,
  logger: Logger,
  onStep: (step: HealStep) => void,
): SelfHealing {
  const healers = entries.flatMap(({ name, heal }): [string, Healer][] =>
    heal === undefined
      ? []
      : [[name, createHealer({ name, heal }, HEAL_TIMEOUT_MS, { clock, logger }, onStep)]],
  )
  return createSelfHealing(new Map(healers), selfHealing, logger)
}
