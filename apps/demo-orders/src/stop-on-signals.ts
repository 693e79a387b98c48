import type { Server } from 'node:http'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Health } from '@baldur/health-core'
import type { Database } from './database.ts'
import { type Requests, trackRequests } from './track-requests.ts'

interface Service {
  readonly server: Server
  readonly health: Health
  readonly database: Database | undefined
}

const REQUESTS_MS = 20_000
const DATABASE_MS = 3_000
const REPEAT_MS = 1_000

/**
 * On SIGTERM and SIGINT running requests end and the process exits with 0; readiness says so first. Call it before the server
 * listens. It stands in for the drain.
 */
export function stopOnSignals(service: Service): void {
  const requests = trackRequests(service.server)
  let stoppedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = performance.now()
        void stop(service, requests)
      } else if (performance.now() - stoppedAt > REPEAT_MS) {
        // process groups repeat signals: a second one counts after a second
        process.exit(128 + constants.signals[signal])
      }
    })
  }
}

async function stop({ server, health, database }: Service, requests: Requests): Promise<void> {
  const drain = health.beginDrain()
  requests.closeConnections()
  server.close()
  const end = performance.now() + REQUESTS_MS
  // once at least: a request may be on its way on a connection that was just accepted
  do await wait(50)
  while (requests.running > 0 && performance.now() < end)
  // those that never sent a request, and half of one, would stay open
  server.closeAllConnections()
  drain.terminating()
  await health.close()
  // a database that does not answer must not hold up the exit
  await Promise.race([database?.close(), wait(DATABASE_MS, undefined, { ref: false })])
  process.exit(0)
}
