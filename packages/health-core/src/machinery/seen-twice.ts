import type { Clock } from './clock.ts'

/** Looks once, and again after a pause when the first result is bad, so that short disturbances are ignored. The second look counts. */
export async function seenTwice<T>(
  look: () => T | Promise<T>,
  isWorthAnother: (seen: T) => boolean,
  pauseMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<T> {
  const first = await look()
  if (!isWorthAnother(first)) return first
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.after(pauseMs, resolve)
    const stop = (): void => {
      cancel()
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return look()
}
