import type { DrainableServer } from '../options.ts'

/**
 * An app's hook may close its server, which the drain has closed: for Node that is an error of its callback. Here the
 * callback hears of none, as soon as the last connection has closed. Returns what takes it off.
 */
export function allowCloseAgain(server: DrainableServer, closed: Promise<void>): () => void {
  const before = server.close
  const wasOwn = Object.hasOwn(server, 'close')
  const close = function (this: DrainableServer, done?: () => void): unknown {
    if (server.listening) return before.call(this, done)
    if (typeof done === 'function') void closed.then(() => process.nextTick(done))
    return this
  }
  server.close = close
  return () => {
    if (server.close !== close) return
    if (wasOwn) server.close = before
    else Reflect.deleteProperty(server, 'close')
  }
}
