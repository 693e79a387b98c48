import type { Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { LongLived, OnUpgraded } from '../options.ts'
import type { Waits } from '../waits.ts'

interface Ways {
  readonly onUpgraded: OnUpgraded | undefined
  /** How long its word may take. */
  readonly shareMs: number
  /** How long the other side may take to close. */
  readonly silentMs: number
  readonly waits: Waits
  readonly logger: Logger
}

const ignore = (): void => undefined

/**
 * Ends something that would go on for ever: the app is told first, so that it can send a last word, then it is closed, and
 * what the other side does not close either is destroyed. Nothing else waits for it. Never rejects.
 */
export async function endLongLived(open: LongLived, ways: Ways): Promise<void> {
  const { onUpgraded, shareMs, silentMs, waits, logger } = ways
  const subject = open.socket ?? open.response ?? open.stream
  if (subject === undefined) return
  const isClosed = (): boolean => subject.destroyed || subject.writableFinished
  if (onUpgraded !== undefined) {
    const told = Promise.resolve()
      .then(() => onUpgraded(open))
      .catch((error: unknown) => logger.error(`drain: onUpgraded failed: ${formatError(error)}`))
    await waits.comesWithin(shareMs, told)
    // its word has to arrive, and the other side's with it
    if (!isClosed()) await waits.pause(silentMs)
  }
  // the app may go on writing, which is an error that nobody listens for
  subject.on('error', ignore)
  subject.end()
  await waits.pause(silentMs)
  if (!isClosed() || open.socket !== undefined) subject.destroy()
}
