import { createBreaker } from '../machinery/breaker.ts'
import type { Clock } from '../machinery/clock.ts'
import { formatError } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Hit } from '../vocabulary/snapshot.ts'
import type { BrokenStatus, Verdict } from '../vocabulary/view.ts'
import type { Picture } from './picture.ts'
import type { Tiers } from './tiers.ts'

/** Where an answer came from, or how our own code failed. */
export type AnswerOrigin = Hit | BrokenStatus

/** The source of the verdict. */
export interface VerdictSource {
  /** Makes sure that the verdict is fresh and returns its origin, or how that failed; `force` recomputes, at most once a second. Never throws or rejects. */
  ask(force?: boolean): AnswerOrigin | Promise<AnswerOrigin>
  /** For the refresher: resolves with the age of the results in milliseconds; rejects when our own code fails. */
  refresh(olderThanMs: number): Promise<number>
  view(): Verdict
  fields(): Readonly<Record<string, unknown>>
  /** Increases whenever the view may have changed. */
  version(): number
  ageMs(): number
  /** Decides again without a probe: call when an input of the verdict may have changed. */
  reevaluate(): void
}

interface VerdictParts {
  readonly picture: Picture
  readonly tiers: Tiers
  /** Additional fields of this process in the body. */
  readonly fields: () => Readonly<Record<string, unknown>>
  /** Called on each probe. */
  readonly onProbe: () => void
  readonly clock: Clock
  readonly logger: Logger
}

interface VerdictBounds {
  readonly bypassIntervalMs: number
  /** After this many computations in a row that throw, none is tried for `forMs`. */
  readonly broken: { readonly after: number; readonly forMs: number }
}

const asBypassed = (origin: AnswerOrigin): AnswerOrigin =>
  origin === 'error' || origin === 'unavailable' ? origin : 'BYPASSED'

/** Creates the verdict: the picture, kept fresh by the tiers. A breaker pauses computations that keep throwing. */
export function createVerdict(
  { picture, tiers, fields, onProbe: asked, clock, logger }: VerdictParts,
  { bypassIntervalMs, broken }: VerdictBounds,
): VerdictSource {
  const breaker = createBreaker(clock, broken)
  let forcedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<AnswerOrigin> | undefined

  const succeeded = <T>(result: T): T => {
    picture.view()
    breaker.recordSuccess()
    return result
  }
  const failed = (error: unknown): BrokenStatus => {
    const isTooOften = breaker.recordFailure()
    const then = isTooOften ? `; it is not tried again for ${broken.forMs / 1_000} s` : ''
    logger.error(`answering health failed: ${formatError(error)}${then}`)
    return breaker.isOpen ? 'unavailable' : 'error'
  }
  const fetch = (force: boolean): AnswerOrigin | Promise<AnswerOrigin> => {
    const tier = tiers.fetch(force)
    if (!(tier instanceof Promise)) return succeeded(tier)
    const mine: Promise<AnswerOrigin> = tier
      .then(succeeded)
      .catch(failed)
      .finally(() => {
        if (flight === mine) flight = undefined
      })
    flight = mine
    return mine
  }
  /** Grants one forced computation per interval; in between the caller gets the cached verdict. */
  const isGranted = (): boolean => {
    if (clock.now() - forcedAt < bypassIntervalMs) return false
    forcedAt = clock.now()
    return true
  }

  return {
    ask: (force = false) => {
      try {
        asked()
        if (breaker.isOpen) return 'unavailable'
        const granted = force && isGranted()
        const cached = force && (granted || flight !== undefined) ? undefined : tiers.cachedTier()
        if (cached !== undefined) {
          picture.view()
          return force ? 'BYPASSED' : cached
        }
        const origin = granted ? fetch(true) : (flight ?? fetch(false))
        if (!force) return origin
        return origin instanceof Promise ? origin.then(asBypassed) : asBypassed(origin)
      } catch (error) {
        return failed(error)
      }
    },
    refresh: async (olderThanMs) => {
      if (breaker.isOpen) throw new Error('the verdict is paused after repeated failures')
      try {
        return succeeded(await tiers.refresh(olderThanMs))
      } catch (error) {
        failed(error)
        throw error
      }
    },
    view: picture.view,
    fields,
    version: picture.version,
    ageMs: tiers.ageMs,
    reevaluate: () => {
      if (!tiers.isSettled) return
      try {
        picture.view()
      } catch (error) {
        logger.error(`computing the verdict failed: ${formatError(error)}`)
      }
    },
  }
}
