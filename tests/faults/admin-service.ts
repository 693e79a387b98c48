import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp } from 'health-testkit'

export const OPERATOR = 'the-operator-key'
export const VIEWER = 'the-viewer-key'

/** A service and its admin server in a process of their own. */
export interface AdminService {
  readonly app: SpawnedApp
  /** Of the service's own routes. */
  readonly port: number
  readonly adminPort: number
  /** What its heap and its buffers hold after a garbage collection, in bytes. */
  held(): Promise<{ readonly heap: number; readonly rss: number }>
  /** Its open files, connections among them; undefined where this system does not tell. */
  openFiles(): number | undefined
  /** Asks a route of the service and the admin's liveness again and again until it is stopped; gives the slowest answers in milliseconds. */
  probe(): { stop(): Promise<{ readonly service: number; readonly admin: number; readonly count: number }> }
}

export async function startAdminService(): Promise<AdminService> {
  const app = await spawnApp({
    args: [
      '--expose-gc',
      fileURLToPath(new URL('admin-service.mjs', import.meta.url)),
      ...[OPERATOR, VIEWER],
    ],
    readyPattern: /service on (\d+), admin on (\d+)/,
  })
  const [port, adminPort] = [Number(app.ready?.[1]), Number(app.ready?.[2])]
  /** How long an answer took from before its connect on, which is what a prober sees. */
  const timed = async (asked: { readonly port: number; readonly path: string }): Promise<number> => {
    const began = performance.now()
    const { status } = await rawRequest(asked)
    if (status !== 200) throw new Error(`${asked.path} answered ${status}`)
    return performance.now() - began
  }
  return {
    ...{ app, port, adminPort },
    held: async () => JSON.parse((await rawRequest({ port, path: '/held' })).body),
    openFiles: () => {
      try {
        return readdirSync(join('/', 'proc', String(app.pid), 'fd')).length
      } catch {
        // no Linux
        return undefined
      }
    },
    probe: () => {
      let isStopped = false
      const run = (async () => {
        const slowest = { service: 0, admin: 0, count: 0 }
        while (!isStopped) {
          const [service, admin] = await Promise.all([
            timed({ port, path: '/' }),
            timed({ port: adminPort, path: '/liveness' }),
          ])
          slowest.service = Math.max(slowest.service, service)
          slowest.admin = Math.max(slowest.admin, admin)
          slowest.count += 1
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        return slowest
      })()
      // told when it is stopped, not before
      run.catch(() => undefined)
      return {
        stop: () => {
          isStopped = true
          return run
        },
      }
    },
  }
}
