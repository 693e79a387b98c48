import type { RedisLink } from './client.ts'

/** Waits for one of the client's events; `stop` leaves no listener behind. */
export function untilEvent(
  client: RedisLink['client'],
  events: readonly string[],
  signal: AbortSignal,
): { readonly happened: Promise<'event'>; stop(): void } {
  let stop = (): void => undefined
  const happened = new Promise<'event'>((resolve, reject) => {
    const onEvent = (): void => resolve('event')
    const onAbort = (): void => reject(signal.reason)
    stop = () => {
      for (const event of events) client.removeListener(event, onEvent)
      signal.removeEventListener('abort', onAbort)
    }
    for (const event of events) client.on(event, onEvent)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
  })
  return { happened, stop }
}
