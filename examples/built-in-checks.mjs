import { createHealth } from '@baldur/health-core'
import { diskCheck } from '@baldur/health-core/disk'
import { eventLoopCheck } from '@baldur/health-core/event-loop'
import { httpCheck } from '@baldur/health-core/http'
import { memoryCheck } from '@baldur/health-core/memory'
import { tcpCheck } from '@baldur/health-core/tcp'

const health = createHealth({
  checks: [
    httpCheck(process.env.ORDERS_URL ?? 'http://127.0.0.1:3000/health/ready', { name: 'orders', fall: 2 }),
    tcpCheck('127.0.0.1', Number(process.env.SMTP_PORT ?? 25), { name: 'smtp', critical: false }),
    diskCheck('.', { minFreeBytes: 50_000_000 }),
    eventLoopCheck(), // these two are not critical unless you say so
    memoryCheck(),
  ],
})

const { status, checks } = await health.verdict()
console.log(status, checks)
await health.close() // lets go of what the checks opened
