import type { Clock } from '@baldur/health-core'
import { QUEUE_FIXED } from '../settings/defaults.ts'

export interface Idle {
  /** Resolves when nothing is left, or all is closed. */
  wait(): Promise<void>
  /** Something was settled. */
  look(): void
  close(): void
}

/** `isIdle` gives undefined when it cannot be known at the moment. */
export function createIdle(isIdle: () => Promise<boolean | undefined>, clock: Clock): Idle {
  const waiting = new Set<() => void>()
  let isLooking = false
  let isWanted = false
  let isClosed = false
  let cancel = (): void => undefined

  const release = (): void => {
    cancel()
    for (const go of waiting) go()
    waiting.clear()
  }
  const ask = async (): Promise<void> => {
    isLooking = true
    do {
      isWanted = false
      const answer = await isIdle()
      if (answer === true) release()
      if (answer === undefined && !isClosed) {
        cancel()
        cancel = clock.after(QUEUE_FIXED.storeRetryMs, look)
      }
    } while (isWanted)
    isLooking = false
  }
  const look = (): void => {
    if (waiting.size === 0) return
    if (isLooking) isWanted = true
    else void ask()
  }

  return {
    wait: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve()
        waiting.add(resolve)
        look()
      }),
    look,
    close: () => {
      isClosed = true
      release()
    },
  }
}
