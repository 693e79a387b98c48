import { formatError } from '@baldur/health-core/internal'
import { backoff } from '../rules/backoff.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import type { QueueAttempt } from '../vocabulary/queue-store.ts'
import type { QueueParts } from './queue-parts.ts'
import { runAttempt } from './run-attempt.ts'
import { settleAttempt } from './settle-attempt.ts'
import { STORE_BACKOFF, type StoreCalls } from './store-calls.ts'

/** Gives requests that are due to runners that have room, as long as there are both. */
export interface Dispatcher {
  /** Attempts under way, those of cancelled requests included. */
  readonly underWay: number
  start(): void
  /** No further attempt begins; those under way go on, and are recorded. */
  stop(): void
}

interface DispatcherParts extends Pick<QueueParts, 'fleet' | 'exchange' | 'store' | 'logger' | 'clock'> {
  readonly random: () => number
  readonly calls: StoreCalls
  /** An attempt is over, and the store knows. */
  readonly onSettled: () => void
}

export function createDispatcher(settings: QueueSettings, parts: DispatcherParts): Dispatcher {
  const { fleet, store, logger, clock, random, calls, onSettled } = parts
  let isOn = false
  let isTaking = false
  let isWanted = false
  /** The store has not said that nothing is due since it last said that something is. One that outlives us may hold something from before. */
  let isDue = store.isDurable
  let refusals = 0
  let cancelPause: (() => void) | undefined
  let underWay = 0
  const offs: (() => void)[] = []

  const run = async (attempt: QueueAttempt, lease: Lease): Promise<void> => {
    underWay += 1
    const end = await runAttempt(attempt, lease, parts.exchange, logger, settings)
    await settleAttempt(attempt, end, settings, parts)
    underWay -= 1
    onSettled()
    pump()
  }

  const pauseTaking = (): void => {
    refusals += 1
    cancelPause = clock.after(backoff(refusals, STORE_BACKOFF, random()), () => {
      cancelPause = undefined
      pump()
    })
  }

  /** One request to one runner. False: there is none of the one or the other. */
  const takeOne = async (): Promise<boolean> => {
    if (!isOn || !isDue || cancelPause !== undefined || calls.isStuck) return false
    const lease = fleet.take('queued')
    if (lease === undefined) return false
    // before the store is asked: what it says meanwhile counts
    isDue = false
    const taken = await calls.once(async () => ({ attempt: await store.take() }))
    if (taken === undefined) {
      isDue = true
      if (isOn) pauseTaking()
      lease.end({ kind: 'inconclusive' })
      return false
    }
    refusals = 0
    const { attempt } = taken
    if (attempt === undefined) {
      lease.end({ kind: 'inconclusive' })
      return true
    }
    if (!attempt.isLast) isDue = true
    if (isOn) go(run(attempt, lease))
    else {
      lease.end({ kind: 'inconclusive' })
      await calls.untilDone(async () => store.retry(attempt, 0, false))
    }
    return true
  }

  const takeAll = async (): Promise<void> => {
    isTaking = true
    try {
      do {
        isWanted = false
        while (await takeOne());
        // no turn lies between this question and the end: a word of room or of what is due is never missed
      } while (isWanted)
    } finally {
      isTaking = false
    }
  }

  const pump = (): void => {
    if (isTaking) isWanted = true
    else if (isOn) go(takeAll())
  }
  const go = (work: Promise<void>): void => {
    work.catch((error: unknown) => logger.error(`queue: dispatching failed: ${formatError(error)}`))
  }

  offs.push(
    store.onReady(() => {
      isDue = true
      pump()
    }),
  )

  return {
    get underWay() {
      return underWay
    },
    start: () => {
      if (isOn) return
      isOn = true
      offs.push(fleet.onRoom(pump))
      pump()
    },
    stop: () => {
      isOn = false
      cancelPause?.()
      cancelPause = undefined
      for (const off of offs.splice(0)) off()
    },
  }
}
