import type { Clock, Logger } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'
import { RECORDED } from './recorded-errors.ts'
import type { StoreCalls } from './store-calls.ts'

interface Parts {
  readonly store: Pick<QueueStore, 'expire'>
  readonly calls: Pick<StoreCalls, 'once'>
  readonly clock: Clock
  readonly logger: Logger
  readonly onExpired: () => void
}

/** Looks from time to time, whether or not any runner is free, which requests have missed their start. Returns what ends it. */
export function watchStartDeadlines({ store, calls, clock, logger, onExpired }: Parts): () => void {
  let isOn = true
  let cancel = (): void => undefined
  const wait = (): void => {
    if (isOn) cancel = clock.after(FIXED.overdueMs, () => void look().then(wait))
  }
  const look = async (): Promise<void> => {
    const ids = (await calls.once(() => store.expire(RECORDED.notBegun))) ?? []
    for (const id of ids) logger.info(`queue: request ${id} had not begun by its start deadline`)
    if (ids.length > 0) onExpired()
  }
  wait()
  return () => {
    isOn = false
    cancel()
  }
}
