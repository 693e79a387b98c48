// An admin server where the environment says, of a service that is alive and not ready.
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'

const health = createHealth({ checks: [{ name: 'app', run: () => false }] })
const admin = await startAdmin({ health })
console.log(`admin on ${admin.url}`)
