import { decideVerdict, type Weight } from '../rules/decide.ts'
import type { Verdict } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Responses } from './responses.ts'
import type { SelfReport } from './self-report.ts'
import type { Tiers } from './tiers.ts'
import type { VerdictMachine } from './verdict-machine.ts'

/** What the verdict is made of: check results from the tiers, and what belongs to this process alone. */
export interface PictureParts {
  readonly slots: readonly CheckSlot[]
  /** Of how many these are a part: only of none at all nothing is known. @default slots */
  readonly configured?: readonly CheckSlot[]
  readonly tiers: Pick<Tiers, 'read' | 'version' | 'isSettled'>
  readonly responses: Pick<Responses, 'verdict' | 'version'>
  readonly self: SelfReport
  readonly machine: Pick<VerdictMachine, 'see'>
}

/** The verdict as it is at the moment. */
export interface Picture {
  view(): Verdict
  /** Goes up whenever the view may have changed. */
  version(): number
}

/** Only the default database and other critical checks can depool; a further database degrades. */
const weightOf = ({ entry }: CheckSlot): Weight =>
  entry.critical && (entry.isDefault || entry.alias === undefined) ? 'unhealthy' : 'degraded'

/** Decided once per version; the machine hears of each picture that is whole, whoever asked for it. */
export function createPicture({
  slots,
  configured = slots,
  tiers,
  responses,
  self,
  machine,
}: PictureParts): Picture {
  const isEmpty = !configured.some(({ entry }) => entry.alias !== undefined || entry.critical)
  let made: { readonly version: number; readonly verdict: Verdict } | undefined

  const version = (): number => tiers.version() + responses.version() + self.version()
  return {
    view: () => {
      const now = version()
      if (made?.version === now) return made.verdict
      const seen = slots.map((slot) => ({
        name: slot.entry.healthName,
        reading: tiers.read(slot),
        weight: weightOf(slot),
      }))
      const own = responses.verdict()
      const verdict = decideVerdict([...seen, ...own], {
        isEmpty: isEmpty && own.length === 0,
        strains: self.causes(),
      })
      made = { version: now, verdict }
      if (tiers.isSettled) machine.see({ state: verdict.status, causes: verdict.causes })
      return verdict
    },
    version,
  }
}
