import { type Answer, type Health, type MountOptions, mountHealth, targetBelow } from '@baldur/health-core'
import { watchResponse, writeAnswer } from '@baldur/health-core/node'
import type { Drain, DrainOptions } from '@baldur/health-drain'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RegisterOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { decorateDrain } from './decorate-drain.ts'
import { addProbeRoutes } from './probe-routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The health that `baldurHealth` mounted here. */
    health: Health
    /** The drain that `baldurHealth` made here with its option `drain`. */
    drain: Drain
  }
}

export interface BaldurHealthOptions extends Omit<MountOptions, 'prefix'> {
  /** Where this mount answers, below the context's own prefix. Not `undefined`: Fastify reads it too. */
  readonly prefix?: string
  /** Level of Fastify's request log for probes, e.g. `'info'`. @default 'silent' */
  readonly logLevel?: NonNullable<RegisterOptions['logLevel']>
  /** Builds a drain on this server, with `true` from its defaults, and decorates `fastify.drain`. It starts when you start it. @default false */
  readonly drain?: boolean | DrainOptions | undefined
}

/** Writes past the framework: `reply.send` would run `onSend` hooks, which add ETags and cookies and compress. */
function send(reply: FastifyReply, answer: Answer): void {
  // what earlier hooks set (CORS, say) is still in the reply only
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      if (value !== undefined) reply.raw.setHeader(name, value)
    } catch {
      // Node refuses this value; the probe is answered without it
      reply.log.debug(`the header ${name} of an earlier hook cannot be sent`)
    }
  }
  reply.hijack()
  writeAnswer(reply.raw, answer)
}

/** The health's own decorator, in a place of its own: a child context may have another health than its parents. */
function decorate(fastify: FastifyInstance, health: Health): void {
  if (!Object.hasOwn(fastify, 'health')) fastify.decorate('health', health)
  else if (fastify.health !== health) {
    throw new Error(
      'fastify.health is there already: baldurHealth is registered here with another health (pass that one as { health }), or another plugin uses the name',
    )
  }
}

async function plugin(
  fastify: FastifyInstance,
  { logLevel = 'silent', drain = false, ...options }: BaldurHealthOptions,
): Promise<void> {
  // without a logger Fastify's own says nothing, and a failing check must be told of
  const logger = fastify.log.level === undefined ? undefined : fastify.log
  const own = options.health === undefined ? { logger, ...options } : options
  const { health, prefix, isOwn, observe } = mountHealth(own, ['logLevel', 'drain'])
  decorate(fastify, health)
  if (isOwn) fastify.addHook('onClose', () => health.close())
  if (drain !== false) await decorateDrain(fastify, { health, logger, ...(drain === true ? {} : drain) })

  // Fastify joins a prefix that ends with a slash and a path that begins with one by a single slash
  const base = fastify.prefix.replace(/\/$/, '')
  const urls = new Map(
    Object.values(health.paths).flatMap((path) => {
      const url = `${prefix}${path}`
      return [url, `${url}/`].filter((variant) => variant !== '').map((variant) => [`${base}${variant}`, url])
    }),
  )

  const mounted = `${base}${prefix}`
  /** The literal path below the instance's prefix; where that prefix holds parameters, the path of the route that was found. */
  const answerTo = (request: FastifyRequest): Answer | undefined => {
    const { method, raw } = request
    const target = raw.url ?? ''
    const literal = health.answer({ method, target, message: raw, prefix: mounted })
    if (literal !== undefined) return literal
    const url = urls.get(request.routeOptions.url ?? '')
    const found = url === undefined ? undefined : targetBelow(url, target)
    return found === undefined ? undefined : health.answer({ method, target: found, message: raw, prefix })
  }

  // a hook, since a route would parse the body first and answer 415; it runs before every hook added later
  fastify.addHook('onRequest', (request, reply, done) => {
    const answer = answerTo(request)
    if (answer !== undefined) return send(reply, answer)
    if (observe !== undefined) watchResponse(reply.raw, observe)
    done()
  })

  addProbeRoutes(fastify, [...urls.keys()], base, logLevel)
}

/**
 * Mounts the health endpoints: `await fastify.register(baldurHealth)`. Register it first, and await it: hooks that were added
 * before it (or before it has loaded) run before it.
 */
export const baldurHealth: FastifyPluginAsync<BaldurHealthOptions> = fp(plugin, {
  name: '@baldur/health-fastify',
  fastify: '5.x',
})
