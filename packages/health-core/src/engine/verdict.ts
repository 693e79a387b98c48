import { createBreaker } from '../machinery/breaker.ts'
import type { Clock } from '../machinery/clock.ts'
import { decideVerdict, type Weight } from '../rules/decide.ts'
import { tell } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { BrokenStatus, Verdict } from '../vocabulary/view.ts'
import type { CheckSlot } from './check-slot.ts'
import type { Responses } from './responses.ts'
import type { SelfReport } from './self-report.ts'
import type { Tier, Tiers } from './tiers.ts'
import type { VerdictMachine } from './verdict-machine.ts'

/** Where an answer came from, as the answer says it. */
export type Hit = Tier | 'BYPASSED'
/** How asking went: an answer from somewhere, or our own code broke. */
export type Told = Hit | BrokenStatus

/** The full picture, kept fresh. */
export interface VerdictSource {
  /** Makes sure that the picture is fresh, or says that it cannot; `force` computes, at most once a second. Never throws or rejects. */
  ask(force?: boolean): Told | Promise<Told>
  /** The same for the refresher: resolves with the age of what is known, rejects when our own code broke. */
  refresh(olderThanMs: number): Promise<number>
  view(): Verdict
  fields(): Readonly<Record<string, unknown>>
  /** Goes up whenever the view may have changed. */
  version(): number
  ageMs(): number
  /** Something that it is made of may have changed while nobody asked. */
  noticed(): void
}

interface VerdictParts {
  readonly slots: readonly CheckSlot[]
  /** Of how many these are a part: only of none at all nothing is known. @default slots */
  readonly configured?: readonly CheckSlot[]
  readonly tiers: Tiers
  readonly responses: Responses
  readonly self: SelfReport
  readonly machine: Pick<VerdictMachine, 'see'>
  readonly clock: Clock
  readonly logger: Logger
}

interface VerdictBounds {
  readonly bypassIntervalMs: number
  /** Computations in a row that throw, and for how long nothing is tried then. */
  readonly broken: { readonly after: number; readonly forMs: number }
}

/** Only the default database and other critical checks can depool; a further database degrades. */
const weightOf = ({ entry }: CheckSlot): Weight =>
  entry.critical && (entry.isDefault || entry.alias === undefined) ? 'unhealthy' : 'degraded'

const asBypassed = (told: Told): Told => (told === 'error' || told === 'unavailable' ? told : 'BYPASSED')

/** The verdict: check results from the tiers, and what belongs to this process alone, merged when it is answered. */
export function createVerdict(
  { slots, configured = slots, tiers, responses, self, machine, clock, logger }: VerdictParts,
  { bypassIntervalMs, broken }: VerdictBounds,
): VerdictSource {
  const breaker = createBreaker(clock, broken)
  const isEmpty = !configured.some(({ entry }) => entry.alias !== undefined || entry.critical)
  let forcedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<Told> | undefined
  let made: { readonly version: number; readonly verdict: Verdict } | undefined

  const version = (): number => tiers.version() + responses.version() + self.version()
  /** Decided once per version; the machine hears of each picture that is whole, whoever asked for it. */
  const decide = (): Verdict => {
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
    if (tiers.isSettled) machine.see({ condition: verdict.status, causes: verdict.causes })
    return verdict
  }

  const succeeded = <T>(result: T): T => {
    decide()
    breaker.succeeded()
    return result
  }
  const failed = (error: unknown): BrokenStatus => {
    const isTooOften = breaker.failed()
    const then = isTooOften ? `; it is not tried again for ${broken.forMs / 1_000} s` : ''
    logger.error(`answering health failed: ${tell(error)}${then}`)
    return breaker.isOpen ? 'unavailable' : 'error'
  }
  const fetch = (force: boolean): Told | Promise<Told> => {
    const tier = tiers.fetch(force)
    if (!(tier instanceof Promise)) return succeeded(tier)
    const mine: Promise<Told> = tier
      .then(succeeded)
      .catch(failed)
      .finally(() => {
        if (flight === mine) flight = undefined
      })
    flight = mine
    return mine
  }
  /** One computation is granted once per interval; in between the caller gets what is there. */
  const isGranted = (): boolean => {
    if (clock.now() - forcedAt < bypassIntervalMs) return false
    forcedAt = clock.now()
    return true
  }

  return {
    ask: (force = false) => {
      try {
        if (breaker.isOpen) return 'unavailable'
        const granted = force && isGranted()
        const there = force && (granted || flight !== undefined) ? undefined : tiers.quick()
        if (there !== undefined) {
          decide()
          return force ? 'BYPASSED' : there
        }
        const told = granted ? fetch(true) : (flight ?? fetch(false))
        if (!force) return told
        return told instanceof Promise ? told.then(asBypassed) : asBypassed(told)
      } catch (error) {
        return failed(error)
      }
    },
    refresh: async (olderThanMs) => {
      if (breaker.isOpen) throw new Error('left alone for a while')
      try {
        return succeeded(await tiers.refresh(olderThanMs))
      } catch (error) {
        failed(error)
        throw error
      }
    },
    view: decide,
    fields: self.fields,
    version,
    ageMs: tiers.ageMs,
    noticed: () => {
      // that nothing is checked is told to those who ask
      if (!tiers.isSettled || (isEmpty && made === undefined)) return
      try {
        decide()
      } catch (error) {
        logger.error(`looking at the verdict failed: ${tell(error)}`)
      }
    },
  }
}
