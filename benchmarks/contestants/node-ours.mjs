import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import { announce } from './announce.mjs'
import { listen } from './listen.mjs'
import { openPool } from './open-pool.mjs'

const pool = await openPool()
const health = createHealth({ env: {}, databases: { default: postgresCheck(pool) } })
const server = createServer(healthListener(health))
await listen(server)
await announce(server)
