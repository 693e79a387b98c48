import type { Clock, Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import { backoff } from '../rules/backoff.ts'
import { QUEUE_FIXED } from '../settings/defaults.ts'

/** Calls of a store that may not be reached. */
export interface StoreCalls {
  /** What the store is to be told has failed, and is tried again. */
  readonly isStuck: boolean
  /** Makes a call, again and again until it is done; undefined when it was given up since all is closed. Never rejects. */
  untilDone<Value>(call: () => Promise<Value>): Promise<Value | undefined>
  /** Makes a call once; undefined when that failed. Never rejects. */
  once<Value>(call: () => Promise<Value>): Promise<Value | undefined>
  /** Each waiting call is made one last time. */
  close(): void
}

/** How long to leave a store alone that could not be reached. */
export const STORE_BACKOFF: Readonly<Record<'backoffMs' | 'maxBackoffMs' | 'jitterShare', number>> = {
  backoffMs: QUEUE_FIXED.storeRetryMs,
  maxBackoffMs: QUEUE_FIXED.maxStoreRetryMs,
  jitterShare: QUEUE_FIXED.jitterShare,
}

export function createStoreCalls({
  clock,
  logger,
  random,
}: {
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
}): StoreCalls {
  const pauses = new Set<() => void>()
  let stuck = 0
  let isClosed = false
  let isDown = false

  /** One line when it begins, and one when it is over. */
  const note = (error?: unknown): void => {
    const wasDown = isDown
    isDown = error !== undefined
    if (isDown && !wasDown) logger.warn(`queue: the store cannot be reached: ${formatError(error)}`)
    if (!isDown && wasDown) logger.warn('queue: the store is reached again')
  }
  const attempt = async <Value>(
    call: () => Promise<Value>,
  ): Promise<{ readonly value: Value } | undefined> => {
    try {
      const value = await call()
      note()
      return { value }
    } catch (error) {
      note(error ?? 'a rejection without a reason')
      return undefined
    }
  }
  const pause = (failures: number): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        pauses.delete(go)
        cancel()
        resolve()
      }
      const cancel = clock.after(backoff(failures, STORE_BACKOFF, random()), go)
      pauses.add(go)
    })

  return {
    get isStuck() {
      return stuck > 0
    },
    once: async (call) => (await attempt(call))?.value,
    untilDone: async (call) => {
      const first = await attempt(call)
      if (first !== undefined || isClosed) return first?.value
      stuck += 1
      for (let failures = 1; ; failures += 1) {
        await pause(failures)
        const done = await attempt(call)
        if (done === undefined && !isClosed) continue
        stuck -= 1
        return done?.value
      }
    },
    close: () => {
      isClosed = true
      for (const go of [...pauses]) go()
    },
  }
}
