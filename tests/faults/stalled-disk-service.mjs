// A service whose thread pool is held by a FIFO that nobody writes to. It counts what waits for a file system. Argument: the FIFO.
import { open } from 'node:fs'
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { diskCheck } from '@baldur/health-core/disk'
import { healthListener } from '@baldur/health-core/node'

open(process.argv[2], 'r', () => undefined)
const check = diskCheck('.', { minFreePercent: 0, timeoutMs: 300 })
const readiness = { cacheTtlMs: 0, budgetMs: 200 }
// the watchdog's look at memory would wait for the same threads
const health = createHealth({ env: {}, checks: [check], readiness, watchdog: false })
const waiting = () => process.getActiveResourcesInfo().filter((name) => name === 'FSReqPromise').length
const server = createServer(
  healthListener(health, { next: (_request, response) => response.end(String(waiting())) }),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
