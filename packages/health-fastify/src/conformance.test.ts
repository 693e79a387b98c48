import { describeAdapter, type MountService } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { fastifyService } from 'health-testkit/fastify-service'
import { baldurHealth } from './baldur-health.ts'

const mount: MountService = (...mountings) =>
  fastifyService({
    mount: async (app) => {
      for (const { below, ...options } of mountings) {
        if (below === undefined) await app.register(baldurHealth, options)
        else await app.register((inner) => inner.register(baldurHealth, options), { prefix: below })
      }
    },
  })

describeAdapter('Fastify', mount)
describeObserve('Fastify', mount)
