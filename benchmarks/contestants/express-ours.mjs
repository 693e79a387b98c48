import { baldurHealth } from '@baldur/health-express'
import { announce, options } from './announce.mjs'
import { listen } from './listen.mjs'
import { openHealth } from './open-health.mjs'
import { ordersExpress } from './orders-express.mjs'

const health = await openHealth()
const server = ordersExpress((app) => app.use(baldurHealth({ health, observe: options.observe })))
await listen(server)
await announce(server)
