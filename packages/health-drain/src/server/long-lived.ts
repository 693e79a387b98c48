import type { Logger } from '@baldur/health-core'
import { tell } from '@baldur/health-core/shared'
import { comesWithin, type DrainClock, pause } from '../clock.ts'
import type { LongLived, OnUpgraded } from '../options.ts'

/**
 * Ends what would go on for ever: each is told first, so that the app can send a last word, and then closed; what is not closed
 * by the other side either is destroyed. Other requests wait for none of it. Never rejects.
 */
export async function tellLongLived(
  open: readonly LongLived[],
  onUpgraded: OnUpgraded | undefined,
  shareMs: number,
  { silentMs }: { readonly silentMs: number },
  { clock, logger }: { readonly clock: DrainClock; readonly logger: Logger },
): Promise<void> {
  await Promise.all(
    open.map(async (one) => {
      const isClosed = (): boolean =>
        one.socket?.destroyed === true || one.response?.writableFinished === true
      if (onUpgraded !== undefined) {
        const told = Promise.resolve()
          .then(() => onUpgraded(one))
          .catch((error: unknown) => logger.error(`drain: onUpgraded failed: ${tell(error)}`))
        await comesWithin(clock, shareMs, told)
        // its word has to arrive, and the other side's with it
        if (!isClosed()) await pause(clock, silentMs)
      }
      one.response?.end()
      one.socket?.end()
      await pause(clock, silentMs)
      if (!isClosed()) one.socket?.destroy()
    }),
  )
}
