// A service of the built packages with its admin server on the port that is given; on SIGTERM it drains. With a second
// word it has a request in flight that does not end, and its admin server does that word in the drain.

import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const [, , port, duringDrain] = process.argv
const env = { BALDUR_NAMESPACE: 'orders' }
const health = createHealth({ env, checks: [{ name: 'always', run: () => true }] })
const drain = createDrain({ health, env, shutdownDelayMs: 0 })
drainOnSignals(drain)
if (duringDrain !== undefined) void drain.track(new Promise(() => undefined))
const admin = await startAdmin({ health, drain, env, port: Number(port), duringDrain })
console.log(`admin on ${admin.url}`)
