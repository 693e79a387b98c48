import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Drain } from '@baldur/health-drain'

/** What is needed of a Koa context. */
export interface DrainContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  respond?: boolean | undefined
}

/**
 * Makes a drain count the requests that come through here, tell their clients to move away, and reject late ones where it is
 * told to. Only needed for a drain that was not given the server; both together count a request once.
 */
export function drainMiddleware(
  drain: Pick<Drain, 'admit'>,
): (ctx: DrainContext, next: () => Promise<unknown>) => Promise<unknown> {
  return (ctx, next) => {
    if (drain.admit(ctx.req, ctx.res)) return next()
    // it is answered already
    ctx.respond = false
    return Promise.resolve()
  }
}
