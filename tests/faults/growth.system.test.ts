// @module-tag mariadbd
// @module-tag redis-server
import { fileURLToPath } from 'node:url'
import {
  type PrivateServer,
  rawRequest,
  type SpawnedApp,
  spawnApp,
  startMariadb,
  startPostgres,
  startRedis,
  until,
} from 'health-testkit'
import { afterEach, expect, test } from 'vitest'

interface Held {
  readonly heap: number
  /** Timers that wait, also those that keep no process alive. */
  readonly timers: number
  /** Open connections, in and out. */
  readonly sockets: number
}

let server: PrivateServer
let app: SpawnedApp
let port: number

afterEach(async () => {
  await app?.stop()
  await server?.stop()
})

const held = async (): Promise<Held> => JSON.parse((await rawRequest({ port, path: '/held' })).body)
const wave = async (): Promise<number[]> => {
  const paths = ['/health/ready', '/health', '/health/pool', '/health/live']
  const one = (index: number): Promise<{ status: number }> =>
    rawRequest({ port, path: paths[index % paths.length] ?? '/', timeoutMs: 15_000 })
  return (await Promise.all(Array.from({ length: 200 }, (_, index) => one(index)))).map(
    ({ status }) => status,
  )
}

test.each([
  ['PostgreSQL', startPostgres],
  ['MariaDB', startMariadb],
  ['Redis', startRedis],
])(
  'a stall of %s under load leaves no socket, no timer and under 2 MB of heap behind',
  async (_name, start) => {
    server = await start()
    app = await spawnApp({
      args: ['--expose-gc', fileURLToPath(new URL('measured-service.mjs', import.meta.url)), server.url],
      readyPattern: /listening on (\d+)/,
    })
    port = Number(app.ready?.[1])
    // what a first wave and a first stall leave in caches and compiled code is no growth
    for (let i = 0; i < 5; i++) await wave()
    await server.pause()
    await wave()
    await server.resume()
    const isReady = async (): Promise<boolean> =>
      (await rawRequest({ port, path: '/health/ready' })).status === 200
    await until(isReady, { timeoutMs: 10_000 })
    const before = await held()

    await server.pause()
    for (let i = 0; i < 5; i++) await wave()
    // the probers' own connections take a moment to be gone; of ours one is left at most, stalled or being made
    const isBounded = async (): Promise<Held | false> => {
      const now = await held()
      return now.sockets <= before.sockets + 1 && now.timers <= before.timers + 4 && now
    }
    const during = await until(isBounded, {
      message: 'one connection and a timer for each round',
      timeoutMs: 2_000,
    })
    expect(during.heap - before.heap).toBeLessThan(2_000_000)
    await server.resume()
    await until(isReady, { timeoutMs: 10_000 })
    await until(async () => (await held()).timers <= before.timers, {
      message: 'every timer of the stall to be gone',
      timeoutMs: 10_000,
    })
    const after = await held()
    expect(after.heap - before.heap).toBeLessThan(2_000_000)
    expect(after.sockets).toBeLessThanOrEqual(before.sockets)
  },
)
