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
  const router = new Router({ sensitive: true, strict: true })
  const urls = paths.flatMap((path) => [`${prefix}${path}`, `${prefix}${path}/`])
  for (const url of urls.filter((it) => it !== '')) {
    router.all(literal(url), (ctx, next) => {
      // what stands before it is the business of the router above; an absolute-form target is not ours, as everywhere
      const sent = ctx.url.startsWith('/') ? answerTo(ctx, `${url}${ctx.search}`) : undefined
      return sent ?? next()
    })
  }
  return router
}
