import { healthListener } from '@baldur/health-core/node'
import { describeAdapter, type Mounting } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { nodeService } from 'health-testkit/node-service'
import type { Service } from 'health-testkit/service'

const mount = ({ health, below, prefix = health.prefix, ...options }: Mounting): Promise<Service> =>
  nodeService({
    mount: (app) => healthListener(health, { ...options, prefix: `${below ?? ''}${prefix}`, next: app }),
  })

describeAdapter('The node:http listener', mount)
describeObserve('The node:http listener', mount)
