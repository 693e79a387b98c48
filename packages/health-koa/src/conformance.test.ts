import Router from '@koa/router'
import { describeAdapter, type Mounting, type MountService } from 'health-testkit/describe-adapter'
import { describeObserve } from 'health-testkit/describe-observe'
import { koaService } from 'health-testkit/koa-service'
import Koa from 'koa'
import mountAt from 'koa-mount'
import { baldurHealth } from './baldur-health.ts'

const mountOn = (app: Koa, { below, ...options }: Mounting): unknown =>
  below === undefined
    ? app.use(baldurHealth(options))
    : app.use(mountAt(below, new Koa().use(baldurHealth(options))))

const mount: MountService = (...mountings) =>
  koaService({
    mount: (app) => {
      for (const mounting of mountings) mountOn(app, mounting)
    },
  })

const mountRoutes: MountService = (...mountings) =>
  koaService({
    mount: (app) => {
      const api = new Router()
      for (const { below, ...options } of mountings) {
        const { router } = baldurHealth(options)
        if (below === undefined) app.use(router.routes())
        else api.use(below, router.routes())
      }
      app.use(api.routes())
    },
  })

describeAdapter('Koa, nested by koa-mount', mount)
describeAdapter('Koa, as routes of @koa/router', mountRoutes)
describeObserve('Koa', mount)
