import type { FastifyInstance, RegisterOptions } from 'fastify'

/** The name of the constraint that lets a route through for its raw path only. */
const CONSTRAINT = 'baldurProbe'

type Handlers = Map<string, unknown>

/**
 * Fastify's router is more lenient than the contract: it decodes, may ignore case, doubled slashes and a closing one. A request that
 * it would only take for ours by that goes on to the app's own routes.
 */
function addConstraint(fastify: FastifyInstance): void {
  if (fastify.hasConstraintStrategy(CONSTRAINT)) return
  fastify.addConstraintStrategy({
    name: CONSTRAINT,
    storage: () => {
      const handlers: Handlers = new Map()
      return {
        get: (path: string) => {
          for (const [url, handler] of handlers) if (path.endsWith(url)) return handler as never
          return null
        },
        set: (url: string, handler: unknown) => void handlers.set(url, handler),
      }
    },
    // an absolute-form target is not ours, as everywhere
    deriveConstraint: (request) => {
      const target = request.url ?? ''
      return target.startsWith('/') ? (target.split('?', 1)[0] ?? '') : 'none'
    },
    validate: () => undefined,
    mustMatchWhenDerived: false,
  })
}

/**
 * Registers the paths as routes, since hooks of a child context run for its routes only; they also carry the log level. The hook
 * answers before any of them is reached.
 */
export function addProbeRoutes(
  fastify: FastifyInstance,
  /** As Fastify knows them, with what stands before them in this context. */
  paths: readonly string[],
  base: string,
  logLevel: NonNullable<RegisterOptions['logLevel']>,
): void {
  addConstraint(fastify)
  const taken = new Set(paths)
  const refuse = (path: string): never => {
    throw new Error(
      `${path} is already declared: it is the path of a health endpoint, and of a route of the app`,
    )
  }
  for (const path of paths) if (fastify.hasRoute({ method: 'GET', url: path })) refuse(path)
  fastify.addHook('onRoute', ({ url, constraints }) => {
    if (taken.has(url) && constraints?.[CONSTRAINT] === undefined) refuse(url)
  })
  for (const path of paths) {
    const url = path.slice(base.length)
    const constraints = { [CONSTRAINT]: url }
    // with ignoreTrailingSlash the route without the slash is both
    if (url.endsWith('/') && fastify.hasRoute({ method: 'GET', url: path, constraints })) continue
    fastify.route({
      method: [...fastify.supportedMethods] as 'GET'[],
      url,
      constraints,
      exposeHeadRoute: false,
      logLevel,
      // kept out of generated API documents
      schema: { hide: true } as object,
      handler: (_request, reply) => reply.callNotFound(),
    })
  }
}
