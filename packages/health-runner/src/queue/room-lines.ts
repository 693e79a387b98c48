import type { Clock, Logger } from '@baldur/health-core'
import { createRareLine, type RareLine } from './rare-line.ts'

/** What the log is told of the room for requests and results. */
export interface RoomLines {
  /** Results went before their time. */
  readonly wentEarly: RareLine
  /** Results that nobody has fetched stand in the way. */
  readonly noRoom: RareLine
  close(): void
}

export function createRoomLines(clock: Clock, logger: Pick<Logger, 'warn'>): RoomLines {
  const line = (text: (times: number) => string): RareLine =>
    createRareLine(clock, (times) => logger.warn(`queue: ${text(times)}`))
  const wentEarly = line(
    (times) =>
      `results that had been fetched went before their time, since their room was needed (queue.maxKeptBytes): ${times}`,
  )
  const noRoom = line(
    (times) =>
      `results that nobody has fetched take the room of queue.maxKeptBytes: ${times} times a request was refused, or those in line had to wait`,
  )
  return {
    wentEarly,
    noRoom,
    close: () => {
      wentEarly.close()
      noRoom.close()
    },
  }
}
