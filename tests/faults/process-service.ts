import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp } from 'health-testkit'
import { afterEach } from 'vitest'

const PROGRAM = fileURLToPath(new URL('process-service.mjs', import.meta.url))

export const HEALTHY: readonly unknown[] = [200, 'healthy', 'healthy', 'healthy']

/** A process that looks at its own event loop and memory; it ends with each test. */
export interface ProcessService {
  start(...options: readonly string[]): Promise<void>
  readonly port: number
  get(path: string): Promise<string>
  /** The HTTP status and the verdict's own words, computed anew. */
  verdict(): Promise<readonly unknown[]>
}

export function processService(): ProcessService {
  let app: SpawnedApp | undefined
  const service: ProcessService = {
    start: async (...options) => {
      app = await spawnApp({
        args: ['--expose-gc', ...options, PROGRAM, '1000'],
        readyPattern: /^listening on (\d+)$/,
      })
    },
    get port() {
      return Number(app?.ready?.[1])
    },
    get: async (path) => (await rawRequest({ port: service.port, path })).body,
    verdict: async () => {
      const { status, body } = await rawRequest({ port: service.port, path: '/health' })
      const { status: word, checks } = JSON.parse(body)
      return [status, word, checks.event_loop, checks.memory]
    },
  }
  afterEach(() => app?.stop())
  return service
}
