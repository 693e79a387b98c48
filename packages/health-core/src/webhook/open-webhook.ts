import { createNotifier, type NoticeBounds, type Notifier } from './notifier.ts'
import { postNotice } from './post-notice.ts'

/** Brings notices to a URL, of which the log sees the origin alone. */
export function openWebhook(
  url: string,
  bounds: NoticeBounds,
  outside: Parameters<typeof createNotifier>[2],
): Notifier {
  const post = (notice: object, signal: AbortSignal): Promise<number> => postNotice(url, notice, signal)
  return createNotifier({ origin: new URL(url).origin, post }, bounds, outside)
}
