import type { AddressInfo } from 'node:net'
import { createListeners, formatError } from '@baldur/health-core/internal'
import { createDrain, type Drain } from '@baldur/health-drain'
import { createGateway } from './gateway/create-gateway.ts'
import { createExchange } from './gateway/exchange.ts'
import { answerProbes, gatewayHealth } from './gateway-health.ts'
import { leaveInOrder } from './leave-in-order.ts'
import { listen } from './listen.ts'
import { createFleet } from './processes/create-fleet.ts'
import { createQueue } from './queue/create-queue.ts'
import { createMemoryStore } from './queue/memory-store.ts'
import type { Runners, RunnersEvents } from './runners.ts'
import type { RunnersSettings } from './settings/settings.ts'
import { tellRunners } from './tell-runners.ts'

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** Puts the parts together: the only place that knows them all. */
export async function buildRunners(settings: RunnersSettings): Promise<Runners> {
  const { logger, clock, env } = settings
  const listeners = createListeners<RunnersEvents>((error) => {
    logger.error(`a listener of the runners threw: ${formatError(error)}`)
  })
  const fleet = createFleet(settings.fleet, {
    logger,
    clock,
    onRunner: (event) => listeners.emit('runner', event),
    onGuard: (event) => listeners.emit('guard', event),
  })
  const health = gatewayHealth(fleet, settings)
  const exchange = createExchange({ clock })
  const store = settings.queue.store ?? createMemoryStore(settings.queue, clock, logger)
  const queue = createQueue(settings.queue, { fleet, exchange, store, logger, clock })
  const gateway = createGateway(settings.gateway, {
    fleet,
    exchange,
    logger,
    clock,
    probes: answerProbes(health),
    queue: (request, response) => queue.handle(request, response),
  })
  const { server } = gateway
  const onUpgraded = tellRunners({ drain: () => drain, fleet, clock })
  const drain: Drain = createDrain({ onUpgraded, ...settings.drain, server, health, logger, env })
  /** Without waiting for anybody. */
  const close = async (): Promise<void> => {
    drain.close()
    gateway.close()
    if (server.listening) server.close()
    server.closeAllConnections()
    await queue.close()
    await fleet.stop()
    await health.close()
  }
  leaveInOrder(drain, { fleet, queue, gateway, isDurable: store.isDurable, logger })
  try {
    const address = await listen(server, settings.gateway)
    await fleet.start()
    queue.start()
    if (!store.isDurable) logger.warn(`the queue is ${store.kind}: what it holds is lost with this process`)
    if (settings.hasRedis)
      logger.warn('BALDUR_REDIS_URL is left to the runners: the queue does not use it yet')
    return {
      url: urlOf(address),
      port: address.port,
      scale: (runners) => fleet.scale(runners),
      snapshot: async () => ({
        fleet: fleet.snapshot(),
        waiting: gateway.waiting,
        queue: await queue.counts(),
      }),
      on: (name, listener) => listeners.on(name, listener),
      drain,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
