import type { Clock } from '../machinery/clock.ts'
import type { Settings } from '../options/settings.ts'
import { decideVerdict, type Weight } from '../rules/decide.ts'
import type { Verdict } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Responses } from './responses.ts'
import { createRound } from './round.ts'
import type { Source } from './source.ts'

/** Only the default database and other critical checks can depool; a further database degrades. */
const weightOf = ({ entry }: CheckSlot): Weight =>
  entry.critical && (entry.isDefault || entry.alias === undefined) ? 'unhealthy' : 'degraded'

/** The full picture: every check given, under the verdict's budget, and the app's own answers where they are observed. `configured` says of how many it is a part: only of none at all nothing is known. */
export function createVerdict(
  slots: readonly CheckSlot[],
  { budgetMs, l1TtlMs, bypassIntervalMs }: Settings['verdict'] & { readonly bypassIntervalMs: number },
  responses: Responses,
  clock: Clock,
  configured: readonly CheckSlot[] = slots,
): Source<Verdict> {
  const round = createRound(slots, { budgetMs, ttlMs: l1TtlMs }, clock)
  const isEmpty = !configured.some(({ entry }) => entry.alias !== undefined || entry.critical)
  let forcedAt = Number.NEGATIVE_INFINITY
  return {
    ...round,
    /** A forced computation is granted once per bypass interval; in between the caller gets what is there. */
    ask: (force = false) => {
      const isGranted = force && clock.now() - forcedAt >= bypassIntervalMs
      if (isGranted) forcedAt = clock.now()
      return round.ask(isGranted)
    },
    view: () => {
      const seen = slots.map((slot) => ({
        name: slot.entry.healthName,
        reading: round.read(slot),
        weight: weightOf(slot),
      }))
      const own = responses.verdict()
      return decideVerdict([...seen, ...own], { isEmpty: isEmpty && own.length === 0 })
    },
    version: () => round.version() + responses.version(),
  }
}
