import Router from '@koa/router'
import { describeAdapter, type Mounting } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { koaService } from 'health-testkit/koa-service'
import type { Service } from 'health-testkit/service'
import Koa from 'koa'
import mountAt from 'koa-mount'
import { baldurHealth } from './baldur-health.ts'

const mount = ({ below, ...options }: Mounting): Promise<Service> =>
  koaService({
    mount: (app) => {
      if (below === undefined) return app.use(baldurHealth(options))
      const nested = new Koa()
      nested.use(baldurHealth(options))
      return app.use(mountAt(below, nested))
    },
  })

const mountRoutes = ({ below, ...options }: Mounting): Promise<Service> =>
  koaService({
    mount: (app) => {
      const { router } = baldurHealth(options)
      if (below === undefined) return app.use(router.routes())
      const outer = new Router()
      outer.use(below, router.routes())
      return app.use(outer.routes())
    },
  })

describeAdapter('Koa, nested by koa-mount', mount)
describeAdapter('Koa, as routes of @koa/router', mountRoutes)
describeObserve('Koa', mount)
