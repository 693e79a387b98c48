import { baldurHealth } from '@baldur/health-koa'
import { announce, options } from './announce.mjs'
import { listen } from './listen.mjs'
import { openHealth } from './open-health.mjs'
import { ordersKoa } from './orders-koa.mjs'

const health = await openHealth()
const server = ordersKoa((app) => app.use(baldurHealth({ health, observe: options.observe })))
await listen(server)
await announce(server)
