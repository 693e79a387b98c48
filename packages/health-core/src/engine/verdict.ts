import { createBreaker } from '../machinery/breaker.ts'
import type { Clock } from '../machinery/clock.ts'
import { formatError } from '../rules/problem.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Hit } from '../vocabulary/snapshot.ts'
import type { BrokenStatus, Verdict } from '../vocabulary/view.ts'
import type { Picture } from './picture.ts'
import type { Tiers } from './tiers.ts'

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
  readonly picture: Picture
  readonly tiers: Tiers
  /** Fields of the process's own in the body. */
  readonly fields: () => Readonly<Record<string, unknown>>
  /** Somebody asked. */
  readonly asked: () => void
  readonly clock: Clock
  readonly logger: Logger
}

interface VerdictBounds {
  readonly bypassIntervalMs: number
  /** Computations in a row that throw, and for how long nothing is tried then. */
  readonly broken: { readonly after: number; readonly forMs: number }
}

const asBypassed = (told: Told): Told => (told === 'error' || told === 'unavailable' ? told : 'BYPASSED')

/** The verdict: the picture, kept fresh by the tiers. What breaks in either is counted, and left alone when it goes on. */
export function createVerdict(
  { picture, tiers, fields, asked, clock, logger }: VerdictParts,
  { bypassIntervalMs, broken }: VerdictBounds,
): VerdictSource {
  const breaker = createBreaker(clock, broken)
  let forcedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<Told> | undefined

  const succeeded = <T>(result: T): T => {
    picture.view()
    breaker.succeeded()
    return result
  }
  const failed = (error: unknown): BrokenStatus => {
    const isTooOften = breaker.failed()
    const then = isTooOften ? `; it is not tried again for ${broken.forMs / 1_000} s` : ''
    logger.error(`answering health failed: ${formatError(error)}${then}`)
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
        asked()
        if (breaker.isOpen) return 'unavailable'
        const granted = force && isGranted()
        const there = force && (granted || flight !== undefined) ? undefined : tiers.quick()
        if (there !== undefined) {
          picture.view()
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
    view: picture.view,
    fields,
    version: picture.version,
    ageMs: tiers.ageMs,
    noticed: () => {
      if (!tiers.isSettled) return
      try {
        picture.view()
      } catch (error) {
        logger.error(`looking at the verdict failed: ${formatError(error)}`)
      }
    },
  }
}
