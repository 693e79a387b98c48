import { Router } from 'express'
import { describeAdapter, type Mounting } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { expressService } from 'health-testkit/express-service'
import type { Service } from 'health-testkit/service'
import { baldurHealth } from './baldur-health.ts'

const mount = ({ below, ...options }: Mounting): Promise<Service> =>
  expressService({
    mount: (app) => {
      if (below === undefined) return app.use(baldurHealth(options))
      const router = Router()
      router.use(baldurHealth(options))
      return app.use(below, router)
    },
  })

describeAdapter('Express', mount)
describeObserve('Express', mount)
