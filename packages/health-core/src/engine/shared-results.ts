import { createBreaker } from '../machinery/breaker.ts'
import type { Clock } from '../machinery/clock.ts'
import { deadline, withinDeadline } from '../machinery/deadline.ts'
import { logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import { type ReadEntry, readEntry, type SharedEntry, writeEntry } from '../rules/shared-entry.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { SharedStore, StoreClaim } from '../vocabulary/store.ts'

export interface StoreBounds {
  /** The longest that a request to the store may delay an answer, in milliseconds. */
  readonly waitMs: number
  /** After this many failures in a row the store is not used for `restMs`. */
  readonly failures: number
  readonly restMs: number
  /** The life of a claim, in milliseconds; longer than a computation takes. */
  readonly claimMs: number
  readonly ttlMs: number
}

/** A claim with the time at which its confirmation arrived. */
export interface Claim extends StoreClaim {
  readonly at: number
}

/** The results that the processes of a service share. Nothing here rejects, and every wait is bounded. */
export interface SharedResults {
  /** Whether the store may be used now: not while it is paused after failures, or while a request is unanswered. */
  isOpen(): boolean
  /** Reads from the store and resolves with whether it answered; false while it is paused after failures. */
  answers(waitMs: number): Promise<boolean>
  /** Resolves with undefined when there is no usable entry. */
  read(waitMs: number): Promise<ReadEntry | undefined>
  /** Resolves with `taken` when another process holds the claim, undefined when the store fails. */
  claim(waitMs: number): Promise<Claim | 'taken' | undefined>
  /** Resolves when the entry is written, or when that has failed. `lifeMs` counts from the claim. */
  publish(claim: Claim, entry: SharedEntry, lifeMs: number): Promise<void>
  close(): Promise<void>
}

/** Reading can work where writing does not (a replica, a full server), so each side has its own breaker. */
const ABILITY = { reading: 'readable', writing: 'writable' } as const
type Side = keyof typeof ABILITY

const LATE = Symbol('late')
/** A custom store may hang on close; a drain gives its hooks a few seconds. */
const CLOSE_MS = 1_000
const nothing = (): void => undefined

export function createSharedResults(
  store: SharedStore,
  {
    key,
    names,
    oldestMs,
  }: { readonly key: string; readonly names: readonly string[]; readonly oldestMs: number },
  { waitMs: usualWaitMs, failures, restMs, claimMs, ttlMs }: StoreBounds,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): SharedResults {
  const breakers = {
    reading: createBreaker(clock, { after: failures, forMs: restMs }),
    writing: createBreaker(clock, { after: failures, forMs: restMs }),
  }
  const holder = crypto.randomUUID()
  let claims = 0
  let last: Promise<void> = Promise.resolve()
  let isStalled = false
  let isLateReported = false
  let closing: Promise<void> | undefined

  const failed = (side: Side, why: string): undefined => {
    if (!breakers[side].recordFailure() || closing !== undefined) return
    logger.warn(`shared store not ${ABILITY[side]}, using local results: ${why}`)
  }

  /** Logs, once per outage, the error of a request that failed after its timeout: the only hint at the cause. */
  const failedLate = (side: Side, error: unknown): void => {
    if (isLateReported || !breakers[side].isOpen || closing !== undefined) return
    isLateReported = true
    logger.warn(`shared store failed (late reply): ${logMessage(problemOf(error))}`)
  }

  /** Sends one request at a time, and none while an earlier one is unanswered. Resolves with undefined on failure. */
  const call = async <T>(side: Side, waitMs: number, ask: () => Promise<T>): Promise<T | undefined> => {
    if (closing !== undefined || breakers[side].isOpen) return undefined
    if (isStalled) return failed(side, 'the previous request is still unanswered')
    const before = last
    let isLate = false
    const answer = (async () => {
      await before
      return isLate ? undefined : ask()
    })()
    const settled = answer.then(nothing, nothing)
    last = settled
    let cancel = nothing
    const late = new Promise<typeof LATE>((resolve) => {
      cancel = deadline(waitMs, clock, () => resolve(LATE))
    })
    try {
      const first = await Promise.race([answer, late])
      if (first !== LATE) {
        if (breakers[side].recordSuccess()) {
          isLateReported = false
          logger.warn(`shared store ${ABILITY[side]} again`)
        }
        return first
      }
      isLate = true
      isStalled = true
      void settled.then(() => {
        isStalled = false
      })
      answer.catch((error: unknown) => failedLate(side, error))
      return failed(side, timeoutProblem(waitMs).text)
    } catch (error) {
      return failed(side, logMessage(problemOf(error)))
    } finally {
      cancel()
    }
  }

  return {
    isOpen: () => {
      if (closing !== undefined || breakers.reading.isOpen) return false
      if (isStalled) failed('reading', 'the previous request is still unanswered')
      return !isStalled
    },
    answers: async (waitMs) => {
      const answered = await call('reading', waitMs, async () => {
        await store.read(key)
        return true
      })
      return answered === true
    },
    read: (waitMs) =>
      call('reading', waitMs, async () => readEntry(await store.read(key), names, ttlMs, oldestMs)),
    claim: async (waitMs) => {
      const claim = { token: `${holder}.${++claims}`, forMs: claimMs }
      const isMine = await call('writing', waitMs, async () => (await store.claim(key, claim)) === true)
      if (isMine === undefined) return undefined
      return isMine ? { ...claim, at: clock.now() } : 'taken'
    },
    publish: async (claim, entry, lifeMs) => {
      if (lifeMs < 1) return
      await call('writing', usualWaitMs, () => store.write(key, claim, writeEntry(entry), Math.floor(lifeMs)))
    },
    close: () => {
      closing ??= (async () => {
        let isOver = false
        const freed = Promise.resolve()
          .then(() => store.close?.())
          .catch((error: unknown) => {
            logger.warn(`the shared store could not be closed: ${logMessage(problemOf(error))}`)
          })
          .then(() => {
            isOver = true
          })
        await withinDeadline([freed], CLOSE_MS, clock)
        if (isOver) return
        logger.warn(`the shared store did not close within ${CLOSE_MS} ms; no longer waiting for it`)
      })()
      return closing
    },
  }
}
