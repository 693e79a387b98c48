// A service of the built packages with its admin server on the port that is given; on SIGTERM it drains.

import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const env = { BALDUR_NAMESPACE: 'orders' }
const health = createHealth({ env, checks: [{ name: 'always', run: () => true }] })
const drain = createDrain({ health, env, shutdownDelayMs: 0 })
drainOnSignals(drain)
const admin = await startAdmin({ health, drain, env, port: Number(process.argv[2]) })
console.log(`admin on ${admin.url}`)
