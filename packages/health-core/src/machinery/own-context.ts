import { AsyncResource } from 'node:async_hooks'

export type OwnContext = <Args extends unknown[], Result>(
  run: (...args: Args) => Result,
  ...args: Args
) => Result

/**
 * Calls functions in the async context in which this was made. Shared work outlives the request that began it: in the context of that
 * request a tracer would add every later run to its trace, and one request's data would be seen in another's run.
 */
export function createOwnContext(): OwnContext {
  const context = new AsyncResource('baldur-health', { requireManualDestroy: true })
  return (run, ...args) => context.runInAsyncScope(run, undefined, ...args)
}
