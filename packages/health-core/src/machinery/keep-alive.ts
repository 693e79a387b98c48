import type { OwnContext } from './own-context.ts'

const nothing = (): void => undefined

/** Longer than any wait; the interval starts again. */
const LONG_MS = 2 ** 30

/**
 * Keeps the process alive while a caller waits for a promise. Everything that resolves it (timers, sockets) is unref'd, so that
 * background work keeps no process alive; without this, Node would exit with code 13 while the caller waits. The timer is shared by all
 * callers, so it belongs to the context of none.
 */
export function createKeepAlive(inOwnContext: OwnContext): <T>(pending: Promise<T>) => Promise<T> {
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  const release = (): void => {
    waiting -= 1
    if (waiting === 0) clearInterval(timer)
  }
  return (pending) => {
    if (waiting === 0) timer = inOwnContext(() => setInterval(nothing, LONG_MS))
    waiting += 1
    pending.then(release, release)
    return pending
  }
}
