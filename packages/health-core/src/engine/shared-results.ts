import { createBreaker } from '../machinery/breaker.ts'
import type { Clock } from '../machinery/clock.ts'
import { deadline, withinDeadline } from '../machinery/deadline.ts'
import { logMessage, problemOf, timeoutProblem } from '../rules/problem.ts'
import { type ReadEntry, readEntry, type SharedEntry, writeEntry } from '../rules/shared-entry.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { SharedStore, StoreClaim } from '../vocabulary/store.ts'

export interface StoreBounds {
  /** What a question may cost an answer. */
  readonly waitMs: number
  /** Failures in a row after which it is left alone, and for how long. */
  readonly failures: number
  readonly restMs: number
  /** Longer than a computation takes. */
  readonly claimMs: number
  readonly ttlMs: number
}

/** A claim, and when we knew that we have it. */
export interface Claim extends StoreClaim {
  readonly at: number
}

/** The results that a service's processes share. Nothing here rejects, and every wait is bounded. */
export interface SharedResults {
  /** Whether asking makes sense now: it does not while it rests or has not answered the last question. */
  isOpen(): boolean
  /** Asks the store something, whatever is in it: whether it answered. It did not while it rests. */
  answers(waitMs: number): Promise<boolean>
  /** Undefined when there is nothing that can be used. */
  read(waitMs: number): Promise<ReadEntry | undefined>
  /** `taken` when another process has it, undefined when the store cannot say. */
  claim(waitMs: number): Promise<Claim | 'taken' | undefined>
  /** Resolves when it is written, or when that has failed. `lifeMs` counts from the claim. */
  publish(claim: Claim, entry: SharedEntry, lifeMs: number): Promise<void>
  close(): Promise<void>
}

/** Reading can work where writing does not (a replica, a full server): each is left alone by itself. */
const DONE = { reading: 'read', writing: 'written' } as const
type Side = keyof typeof DONE

const LATE = Symbol('late')
/** A store of somebody's own may hang; a drain gives its hooks a few seconds. */
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
  let isLateTold = false
  let closing: Promise<void> | undefined

  const failed = (side: Side, why: string): undefined => {
    if (!breakers[side].failed() || closing !== undefined) return
    logger.warn(`shared results cannot be ${DONE[side]}, this process goes by its own: ${why}`)
  }

  /** The reason of an outage that began with silence comes when the silence ends. Once is enough. */
  const failedLate = (side: Side, error: unknown): void => {
    if (isLateTold || !breakers[side].isOpen || closing !== undefined) return
    isLateTold = true
    logger.warn(`the late answer of the shared store was a failure: ${logMessage(problemOf(error))}`)
  }

  /** One question after the other, and none behind one that was not answered in time. Undefined when it failed. */
  const call = async <T>(side: Side, waitMs: number, ask: () => Promise<T>): Promise<T | undefined> => {
    if (closing !== undefined || breakers[side].isOpen) return undefined
    if (isStalled) return failed(side, 'the last question has not been answered')
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
        if (breakers[side].succeeded()) {
          isLateTold = false
          logger.warn(`shared results can be ${DONE[side]} again`)
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
      if (isStalled) failed('reading', 'the last question has not been answered')
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
        logger.warn(`the shared store has not closed within ${CLOSE_MS} ms: it is left to itself`)
      })()
      return closing
    },
  }
}
