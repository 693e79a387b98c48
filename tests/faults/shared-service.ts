import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { jumpingClock, rawRequest } from 'health-testkit'
import { watchLateness } from './lateness.ts'

/** A wait of no more is that of an answer for the store, which is on its way and must not count as late for a jump. */
const STORE_WAIT_MS = 50

interface Answered {
  readonly status: number
  /** What the answer took, without the time in which this process, which is also the service, was not run. */
  readonly ms: number
  readonly body: {
    readonly status: string
    readonly checks: Readonly<Record<string, string>>
    readonly _cache: { readonly hit: string; readonly age_ms: number }
  }
}

/** A process of a service that shares its results, with a check whose runs are counted. */
export interface SharedService {
  readonly health: Health
  readonly lines: string[]
  readonly runs: number
  /** What the check says from now on. */
  behave(isUsable: boolean): void
  get(): Promise<Answered>
  /** Moves the time of this process on, not that of Redis. */
  jump(ms: number): Promise<void>
  close(): Promise<void>
}

export async function startShared(options: HealthOptions): Promise<SharedService> {
  let isUsable = true
  let runs = 0
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const check = {
    name: 'x',
    run: (): boolean => {
      runs += 1
      return isUsable
    },
  }
  const clock = jumpingClock()
  const health = createHealth({
    env: {},
    clock,
    namespace: 'orders',
    logger: { debug: log, info: log, warn: log, error: log },
    databases: { default: check },
    // a store that is ill would degrade the verdict
    watchdog: false,
    ...options,
  })
  const server = createServer(healthListener(health))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    health,
    lines,
    get runs() {
      return runs
    },
    behave: (usable) => {
      isUsable = usable
    },
    jump: async (ms) => {
      await clock.untilTimersAreLonger(STORE_WAIT_MS)
      clock.jump(ms)
    },
    get: async () => {
      const startedAt = performance.now()
      const lateness = watchLateness()
      const { status, body } = await rawRequest({ port, path: '/health', timeoutMs: 10_000 })
      return {
        status,
        body: JSON.parse(body) as Answered['body'],
        ms: performance.now() - startedAt - lateness(),
      }
    },
    close: async () => {
      await health.close()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}
