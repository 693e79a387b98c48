import type { Clock } from '../machinery/clock.ts'
import { decidePool } from '../rules/decide.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Pool } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import { gaugesOf } from './gauges.ts'
import { createRound } from './round.ts'
import type { Source } from './source.ts'

/** Creates the source of the pool endpoint: whether the default database is usable, and the gauges of its pool. */
export function createPool(
  slots: readonly CheckSlot[],
  { budgetMs, cacheTtlMs }: { readonly budgetMs: number; readonly cacheTtlMs: number },
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Source<Pool> {
  const slot = slots.find(({ entry }) => entry.isDefault)
  const round = createRound(slot === undefined ? [] : [slot], { budgetMs, ttlMs: cacheTtlMs }, clock)
  return {
    ...round,
    view: () => {
      if (slot === undefined) return decidePool(undefined)
      const { check, vendor, alias = 'default' } = slot.entry
      return decidePool({
        alias,
        vendor,
        reading: round.read(slot),
        gauges: gaugesOf(check, logger),
      })
    },
  }
}
