// A script that asks every built-in check once and is done. Arguments: a port that answers, one that accepts and is silent.
import { createHealth } from '@baldur/health-core'
import { diskCheck } from '@baldur/health-core/disk'
import { eventLoopCheck } from '@baldur/health-core/event-loop'
import { httpCheck } from '@baldur/health-core/http'
import { memoryCheck } from '@baldur/health-core/memory'
import { tcpCheck } from '@baldur/health-core/tcp'

const [answers, silent] = process.argv.slice(2).map(Number)
const slow = { critical: false, timeoutMs: 60_000, connectTimeoutMs: 60_000 }
const nothing = () => undefined
const health = createHealth({
  env: {},
  logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  verdict: { budgetMs: 500 },
  checks: [
    diskCheck('.', { minFreePercent: 0 }),
    eventLoopCheck({ critical: true }),
    memoryCheck({ critical: true }),
    tcpCheck('localhost', answers),
    httpCheck(`http://localhost:${answers}/`),
    httpCheck(`http://localhost:${answers}/once`, { name: 'once', timeoutMs: 60_000 }),
    httpCheck(`http://localhost:${silent}/`, { name: 'silent', ...slow }),
    httpCheck(`https://localhost:${silent}/`, { name: 'silent-tls', ...slow }),
  ],
})
console.log((await health.readiness()).checks)
// afterwards nobody waits for the silent ones any more; they are under way, one of them on a kept connection, and stay so
await health.verdict({ nocache: true })
console.log('done at', performance.timeOrigin + performance.now())
