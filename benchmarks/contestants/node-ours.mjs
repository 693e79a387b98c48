import { createServer } from 'node:http'
import { healthListener } from '@baldur/health-core/node'
import { announce } from './announce.mjs'
import { listen } from './listen.mjs'
import { openHealth } from './open-health.mjs'

const health = await openHealth()
const server = createServer(healthListener(health))
await listen(server)
await announce(server)
