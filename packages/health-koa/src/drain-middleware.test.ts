import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { describeDrain } from 'health-testkit/describe-drain'
import { koaService } from 'health-testkit/koa-service'
import { drainMiddleware } from './drain-middleware.ts'

describeDrain('Koa', async (by, options) => {
  const health = createHealth({ env: {} })
  const drain = createDrain({ health, ...options })
  const service = await koaService({
    mount: (app) => app.use(drainMiddleware(drain)),
    attach: (server) => (by === 'middleware' ? undefined : drain.watch(server)),
  })
  return { service, drain }
})
