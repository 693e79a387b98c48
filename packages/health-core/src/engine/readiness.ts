import type { Clock } from '../machinery/clock.ts'
import type { Settings } from '../options/settings.ts'
import { decideReadiness } from '../rules/decide.ts'
import type { Readiness } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import type { KeepWarm } from './keep-warm.ts'
import type { Responses } from './responses.ts'
import { createRound } from './round.ts'
import type { Source } from './source.ts'

/** Creates the source of readiness: every critical check under the readiness budget, and the app's own responses when observed. */
export function createReadiness(
  slots: readonly CheckSlot[],
  { budgetMs, cacheTtlMs, timeoutFailDirection }: Settings['readiness'],
  keepWarm: KeepWarm,
  responses: Responses,
  clock: Clock,
): Source<Readiness> {
  const critical = slots.filter(({ entry }) => entry.critical)
  const round = createRound(critical, { budgetMs, ttlMs: cacheTtlMs }, clock)
  return {
    ...round,
    ask: () => {
      keepWarm.onProbe()
      return round.ask()
    },
    view: () => {
      const seen = critical.map((slot) => ({ name: slot.entry.name, reading: round.read(slot) }))
      return decideReadiness([...seen, ...responses.readiness()], timeoutFailDirection)
    },
    version: () => round.version() + responses.version(),
  }
}
