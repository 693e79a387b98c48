import { type Health, type MountOptions, mountHealth } from '@baldur/health-core'
import { watchResponse, writeAnswer } from '@baldur/health-core/node'
import type { Middleware } from './middleware.ts'

/** The middleware, and the health that it answers from. */
export type BaldurHealth = Middleware & { readonly health: Health }

/**
 * Mounts the health endpoints: `app.use(baldurHealth())`. Use it first: what was used before it (auth, rate limits) runs
 * before it. Throws a `HealthConfigError` that lists every wrong option.
 */
export function baldurHealth(options?: MountOptions): BaldurHealth {
  const { health, prefix, observe } = mountHealth(options)
  const middleware: Middleware = (request, response, next) => {
    // below a mount path Express leaves the rest of the target here
    const answer = health.answer({
      method: request.method ?? '',
      target: request.url ?? '',
      message: request,
      prefix,
    })
    if (answer === undefined) {
      if (observe !== undefined) watchResponse(response, observe)
      next()
      return
    }
    // Express sets it before any middleware runs
    if (!response.headersSent) response.removeHeader('x-powered-by')
    // compression that was used earlier would take the length away
    delete request.headers['accept-encoding']
    // not `response.send`, which adds an ETag and can answer 304
    writeAnswer(response, answer)
  }
  return Object.assign(middleware, { health })
}
