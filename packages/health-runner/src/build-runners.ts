import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth } from '@baldur/health-core'
import { attachHealth } from '@baldur/health-core/node'
import { createListeners } from '@baldur/health-core/shared'
import { createDrain } from '@baldur/health-drain'
import { createGateway } from './gateway/create-gateway.ts'
import { createExchange } from './gateway/exchange.ts'
import { gatewayHealth } from './gateway-health.ts'
import { createFleet } from './processes/create-fleet.ts'
import { createQueue } from './queue/create-queue.ts'
import { createMemoryStore } from './queue/memory-store.ts'
import type { Runners, RunnersEvents } from './runners.ts'
import type { RunnersSettings } from './settings/settings.ts'
import { unfinishedText } from './unfinished-text.ts'

function listen(server: Server, { host, port }: RunnersSettings['gateway']): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Puts the parts together: the only place that knows them all. */
export async function buildRunners(settings: RunnersSettings): Promise<Runners> {
  const { logger, clock, env } = settings
  const listeners = createListeners<RunnersEvents>((error) =>
    logger.error('a listener of the runners threw', error),
  )
  const fleet = createFleet(settings.fleet, {
    logger,
    clock,
    onRunner: (event) => listeners.emit('runner', event),
    onGuard: (event) => listeners.emit('guard', event),
  })
  const exchange = createExchange({ clock })
  const store = settings.queue.store ?? createMemoryStore(settings.queue, clock)
  const queue = createQueue(settings.queue, { fleet, exchange, store, logger, clock })
  const gateway = createGateway(settings.gateway, {
    fleet,
    exchange,
    logger,
    clock,
    queue: (request, response) => queue.handle(request, response),
  })
  const { server } = gateway
  const health = gatewayHealth(fleet, settings)
  attachHealth(server, health)
  const drain = createDrain({ ...settings.drain, server, health, logger, env })

  drain.signal.addEventListener('abort', () => {
    queue.stopAccepting()
    drain.track(queue.idle(), 'the queue')
  })
  drain.onShutdown('queue', async () => {
    const left = await queue.unfinished()
    if (left.length > 0) logger.error(unfinishedText(left, store.isDurable))
    await queue.close()
  })
  drain.onShutdown('runners', () => fleet.stop(), { after: 'queue' })

  const address = await listen(server, settings.gateway)
  await fleet.start()
  queue.start()
  if (!store.isDurable) logger.warn(`the queue is ${store.kind}: what it holds is lost with this process`)
  if (settings.hasRedis) logger.warn('BALDUR_REDIS_URL is the runners’ alone: the queue does not use it yet')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address

  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    scale: (runners) => fleet.scale(runners),
    snapshot: async () => ({
      fleet: fleet.snapshot(),
      waiting: gateway.waiting,
      queue: await queue.counts(),
    }),
    on: (name, listener) => listeners.on(name, listener),
    drain,
    close: async () => {
      drain.close()
      server.close()
      server.closeAllConnections()
      await queue.close()
      await fleet.stop()
      await health.close()
    },
  }
}
