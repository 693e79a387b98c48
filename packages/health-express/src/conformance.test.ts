import { type Express, Router } from 'express'
import { describeAdapter, type Mounting, type MountService } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { expressService } from 'health-testkit/express-service'
import { baldurHealth } from './baldur-health.ts'

const mountOn = (app: Express, { below = '/', ...options }: Mounting): unknown =>
  below === '/' ? app.use(baldurHealth(options)) : app.use(below, Router().use(baldurHealth(options)))

const mount: MountService = (...mountings) =>
  expressService({
    mount: (app) => {
      for (const mounting of mountings) mountOn(app, mounting)
    },
  })

describeAdapter('Express', mount)
describeObserve('Express', mount)
