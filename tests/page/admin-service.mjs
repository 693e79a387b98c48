// A service with its admin server. Environment: ADMIN_PORT; on SIGTERM it drains, with one request that takes a while.

import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const env = { BALDUR_NAMESPACE: 'orders' }
const health = createHealth({ env, checks: [{ name: 'always', run: () => true }] })
const drain = createDrain({ health, env, shutdownDelayMs: 0 })
drainOnSignals(drain)
const admin = await startAdmin({ health, drain, env, port: Number(process.env.ADMIN_PORT) })
console.log(`admin on ${admin.url}`)
