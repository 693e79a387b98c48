import type { Clock, Logger } from '@baldur/health-core'
import { createThrottledLog, type ThrottledLog } from './throttled-log.ts'

/** Throttled log lines about the space for requests and results. */
export interface CapacityLog {
  /** Fetched results were evicted before their expiry. */
  readonly evictedEarly: ThrottledLog
  /** Unfetched results fill the space. */
  readonly full: ThrottledLog
  close(): void
}

export function createCapacityLog(clock: Clock, logger: Pick<Logger, 'warn'>): CapacityLog {
  const line = (text: (times: number) => string): ThrottledLog =>
    createThrottledLog(clock, (times) => logger.warn(`queue: ${text(times)}`))
  const wentEarly = line(
    (times) => `fetched results evicted early, since queue.maxKeptBytes was reached: ${times}`,
  )
  const noRoom = line(
    (times) =>
      `unfetched results fill queue.maxKeptBytes: ${times} times a request was refused or queued requests had to wait`,
  )
  return {
    evictedEarly: wentEarly,
    full: noRoom,
    close: () => {
      wentEarly.close()
      noRoom.close()
    },
  }
}
