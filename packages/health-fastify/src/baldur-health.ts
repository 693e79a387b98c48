import { type Answer, type Health, type MountOptions, mountHealth } from '@baldur/health-core'
import { writeResponse } from '@baldur/health-core/node'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RegisterOptions,
} from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** The health that `baldurHealth` mounted here. */
    health: Health
  }
}

export interface BaldurHealthOptions extends MountOptions {
  /** Level of Fastify's request log for probes, e.g. `'info'`. @default 'silent' */
  readonly logLevel?: RegisterOptions['logLevel']
}

/** Writes past the framework: `reply.send` would run `onSend` hooks, which add ETags and cookies and compress. */
function send(reply: FastifyReply, answer: Answer): void {
  reply.hijack()
  const write = (response: Awaited<Answer>): void => {
    // what earlier hooks set (CORS, say) is still in the reply only
    const headers = { ...(reply.getHeaders() as Record<string, string>), ...response.headers }
    writeResponse(reply.raw, { ...response, headers })
  }
  if (answer instanceof Promise) void answer.then(write)
  else write(answer)
}

/** The path as it came, without query and one closing slash. */
const pathOf = (target: string): string => target.split('?', 1)[0]?.replace(/\/$/, '') ?? ''

async function plugin(
  fastify: FastifyInstance,
  { logLevel = 'silent', ...options }: BaldurHealthOptions,
): Promise<void> {
  // without a logger Fastify's own says nothing, and a failing check must be told of
  const logger = fastify.log.level === undefined ? undefined : fastify.log
  const own = options.health === undefined ? { logger, ...options } : options
  const { health, prefix, isOwn } = mountHealth(own)
  const mounted = `${fastify.prefix}${prefix}`

  if (!Object.hasOwn(fastify, 'health')) fastify.decorate('health', health)
  else if (fastify.health !== health) {
    throw new Error(
      'baldurHealth is registered here already with another health; pass that one as { health }',
    )
  }
  if (isOwn) fastify.addHook('onClose', () => health.close())

  // a hook, since a route would parse the body first and answer 415; it runs before every hook added later
  fastify.addHook('onRequest', (request, reply, done) => {
    const answer = health.answer({ method: request.method, target: request.raw.url ?? '', prefix: mounted })
    if (answer === undefined) done()
    else send(reply, answer)
  })

  // routes, since hooks of a child context run for its routes only; they also carry the log level
  for (const path of Object.values(health.paths)) {
    const url = `${prefix}${path}`
    /** Reached where the instance's prefix holds parameters, and where the router is more lenient than the contract. */
    const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const target = request.raw.url ?? ''
      const found = pathOf(target).endsWith(url) ? pathOf(target).length - url.length : -1
      const answer =
        found < 0 ? undefined : health.answer({ method: request.method, target: target.slice(found), prefix })
      if (answer === undefined) reply.callNotFound()
      else send(reply, answer)
      return reply
    }
    for (const variant of [url, `${url}/`]) {
      // with ignoreTrailingSlash the first route is both
      if (variant !== url && fastify.hasRoute({ method: 'GET', url: `${fastify.prefix}${variant}` })) continue
      fastify.route({
        method: [...fastify.supportedMethods] as 'GET'[],
        url: variant,
        exposeHeadRoute: false,
        logLevel,
        // kept out of generated API documents
        schema: { hide: true } as object,
        handler,
      })
    }
  }
}

/**
 * Mounts the health endpoints: `fastify.register(baldurHealth)`. Register it first, and await it: hooks that were added
 * before it (or before it has loaded) run before it.
 */
export const baldurHealth: FastifyPluginAsync<BaldurHealthOptions> = fp(plugin, {
  name: '@baldur/health-fastify',
  fastify: '5.x',
})
