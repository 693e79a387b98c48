import { type Answer, type Health, type MountOptions, mountHealth } from '@baldur/health-core'
import { watchResponse, writeAnswer } from '@baldur/health-core/node'
import type Router from '@koa/router'
import type { ProbeContext } from './probe-context.ts'
import { probeRouter } from './probe-router.ts'

/** The middleware, the health that it answers from, and the same endpoints as routes. */
export interface BaldurHealth {
  (ctx: ProbeContext, next: () => Promise<unknown>): Promise<unknown>
  readonly health: Health
  /**
   * For a `@koa/router` of your own, whose `use` runs middleware for its routes only: `api.use('/v1', it.router.routes())`.
   * Routes see no other answers of the app, so this throws where `observe` is on.
   */
  readonly router: Router
}

/** Past the framework, whose own answer would be compressed or given an ETag by middleware that was used earlier: when that is on its way out, this is written already. */
async function send(ctx: ProbeContext, answer: Answer): Promise<void> {
  const ready = await answer
  // for loggers, and for those that take an empty body for nothing found
  ctx.status = ready.status
  if (ready.body !== '') ctx.body = ready.body
  writeAnswer(ctx.res, ready)
}

/**
 * Mounts the health endpoints: `app.use(baldurHealth())`. Use it first: what was used before it (auth, rate limits) runs
 * before it. Throws a `HealthConfigError` that lists every wrong option.
 */
export function baldurHealth(options?: MountOptions): BaldurHealth {
  const { health, prefix, observe } = mountHealth(options)
  const answerTo = (ctx: ProbeContext, target: string): Promise<void> | undefined => {
    const answer = health.answer({ method: ctx.method, target, message: ctx.req, prefix })
    return answer === undefined ? undefined : send(ctx, answer)
  }
  const middleware = (ctx: ProbeContext, next: () => Promise<unknown>): Promise<unknown> => {
    // below a mount path koa-mount leaves the rest of the target here
    const sent = answerTo(ctx, ctx.url)
    if (sent !== undefined) return sent
    if (observe !== undefined) watchResponse(ctx.res, observe)
    return next()
  }
  let router: Router | undefined
  return Object.defineProperties(middleware as BaldurHealth, {
    health: { value: health, enumerable: true },
    router: {
      get: () => {
        if (observe !== undefined) {
          throw new Error(
            'observe sees the answers of other routes only as middleware: app.use(baldurHealth({ health, observe })), and a second baldurHealth({ health }) for its router',
          )
        }
        router ??= probeRouter(prefix, Object.values(health.paths), answerTo)
        return router
      },
    },
  })
}
