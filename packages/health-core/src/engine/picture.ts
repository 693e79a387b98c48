import { decideVerdict, type Weight } from '../rules/decide.ts'
import type { Verdict } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Responses } from './responses.ts'
import type { SelfReport } from './self-report.ts'
import type { Tiers } from './tiers.ts'
import type { VerdictMachine } from './verdict-machine.ts'

/** The inputs of the verdict: check results from the tiers, and the facts of this process alone. */
export interface PictureParts {
  readonly slots: readonly CheckSlot[]
  /** All configured checks, of which `slots` may be a part; decides whether anything is checked at all. @default slots */
  readonly configured?: readonly CheckSlot[]
  readonly tiers: Pick<Tiers, 'read' | 'version' | 'isSettled'>
  readonly responses: Pick<Responses, 'verdict' | 'version'>
  readonly self: SelfReport
  readonly machine: Pick<VerdictMachine, 'see'>
}

/** The current verdict. */
export interface Picture {
  view(): Verdict
  /** Increases whenever the view may have changed. */
  version(): number
}

/** Only the default database and other critical checks make the verdict unhealthy; a further database degrades it. */
const weightOf = ({ entry }: CheckSlot): Weight =>
  entry.critical && (entry.isDefault || entry.alias === undefined) ? 'unhealthy' : 'degraded'

/** Decides once per version, and passes each complete picture to the machine. */
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
        degradedBy: self.causes(),
      })
      made = { version: now, verdict }
      if (tiers.isSettled) machine.see({ state: verdict.status, causes: verdict.causes })
      return verdict
    },
    version,
  }
}
