import { targetBelow } from '@baldur/health-core'
import Router from '@koa/router'
import type { ProbeContext } from './probe-context.ts'

/** What a path is to the router's pattern language, taken literally. */
const literal = (path: string): string => path.replace(/[{}()[\]+?!:*\\]/g, '\\$&')

/** The endpoints as routes, wherever their router is mounted. `answerTo` gives undefined for what is not ours. */
export function probeRouter(
  prefix: string,
  paths: readonly string[],
  answerTo: (ctx: ProbeContext, target: string) => Promise<void> | undefined,
): Router {
  const router = new Router({ sensitive: true })
  for (const url of paths.map((path) => `${prefix}${path}`)) {
    router.all(url === '' ? '/' : literal(url), (ctx, next) => {
      // what stands before it is the business of the router above, which is more lenient than the contract
      const target = targetBelow(url, ctx.url)
      return (target === undefined ? undefined : answerTo(ctx, target)) ?? next()
    })
  }
  return router
}
