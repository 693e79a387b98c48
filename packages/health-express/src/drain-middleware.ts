import type { Drain } from '@baldur/health-drain'
import type { Middleware } from './middleware.ts'

/**
 * Makes a drain count the requests that come through here, tell their clients to move away, and reject late ones where it is
 * told to. Only needed for a drain that was not given the server; both together count a request once.
 */
export function drainMiddleware(drain: Pick<Drain, 'admit'>): Middleware {
  return (request, response, next) => {
    if (drain.admit(request, response)) next()
  }
}
