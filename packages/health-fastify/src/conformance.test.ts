import { describeAdapter, type Mounting } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { fastifyService } from 'health-testkit/fastify-service'
import type { Service } from 'health-testkit/service'
import { baldurHealth } from './baldur-health.ts'

const mount = ({ below, ...options }: Mounting): Promise<Service> =>
  fastifyService({
    mount: (app) =>
      below === undefined
        ? app.register(baldurHealth, options)
        : app.register((inner) => inner.register(baldurHealth, options), { prefix: below }),
  })

describeAdapter('Fastify', mount)
describeObserve('Fastify', mount)
