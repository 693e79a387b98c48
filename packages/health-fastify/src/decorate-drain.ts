import type { DrainableServer, DrainOptions } from '@baldur/health-drain'
import type { FastifyInstance } from 'fastify'

/** The servers that Fastify opens beside its own when it listens on `localhost`, for which it has no public name. */
function moreServersOf(fastify: FastifyInstance): readonly DrainableServer[] {
  for (let owner: object | null = fastify; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const key = Object.getOwnPropertySymbols(owner).find(
      (symbol) => symbol.description === 'fastify.serverBindings',
    )
    if (key !== undefined)
      return (fastify as unknown as Record<symbol, readonly DrainableServer[]>)[key] ?? []
  }
  return []
}

/** Builds a drain on Fastify's server. Fastify's own `close` comes last, since it answers 503 to everything from then on. */
export async function decorateDrain(fastify: FastifyInstance, options: DrainOptions): Promise<void> {
  const { createDrain } = await import('@baldur/health-drain')
  const drain = createDrain({ server: fastify.server, ...options })
  fastify.decorate('drain', drain)
  fastify.addHook('onListen', async () => {
    moreServersOf(fastify).forEach(drain.watch)
  })
  drain.onShutdown('fastify', () => fastify.close(), { after: '*' })
  fastify.addHook('onClose', async () => drain.close())
}
