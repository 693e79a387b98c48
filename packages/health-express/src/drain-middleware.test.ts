import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { describeDrain } from 'health-testkit/describe-drain'
import { expressService } from 'health-testkit/express-service'
import { drainMiddleware } from './drain-middleware.ts'

describeDrain('Express', async (by, options) => {
  const health = createHealth({ env: {} })
  const drain = createDrain({ health, ...options })
  const service = await expressService({
    mount: (app) => app.use(drainMiddleware(drain)),
    attach: (server) => (by === 'middleware' ? undefined : drain.watch(server)),
  })
  return { service, drain }
})
