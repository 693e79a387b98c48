import type { RequestListener } from 'node:http'
import { healthListener } from '@baldur/health-core/node'
import { describeAdapter, type Mounting, type MountService } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { nodeService } from 'health-testkit/node-service'

const before = (
  next: RequestListener,
  { health, below = '', prefix = health.prefix, ...options }: Mounting,
): RequestListener => healthListener(health, { ...options, prefix: `${below}${prefix}`, next })

const mount: MountService = (...mountings) =>
  nodeService({ mount: (app) => mountings.reduceRight(before, app) })

describeAdapter('The node:http listener', mount)
describeObserve('The node:http listener', mount)
