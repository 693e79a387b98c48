// @module-tag redis-server
import { fileURLToPath } from 'node:url'
import { faultProxy, freePort, type PrivateServer, spawnApp, startRedis } from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Held {
  readonly heap: number
  readonly handles: number
}

let redis: PrivateServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())

test('200 000 computations leave heap and handles where they were', async () => {
  const script = fileURLToPath(new URL('verdict-computations.mjs', import.meta.url))
  const app = await spawnApp({
    args: ['--expose-gc', script, '200000'],
    readyPattern: /held (.*)/,
    timeoutMs: 50_000,
  })
  const { before, after, runs } = JSON.parse(app.ready?.[1] ?? '') as {
    readonly before: Held
    readonly after: Held
    readonly runs: number
  }
  expect(runs).toBeGreaterThanOrEqual(200_000)
  expect(after.heap - before.heap).toBeLessThan(1_000_000)
  expect(after.handles).toBeLessThanOrEqual(before.handles + 2)
  expect((await app.exited).code).toBe(0)
})

const ASKS_ONCE = `
import { createHealth } from '@baldur/health-core'
const health = createHealth({ checks: [{ name: 'x', run: () => true }] })
const stay = setTimeout(() => undefined, 60_000)
const { status } = await health.verdict()
clearTimeout(stay)
console.log(status)
process.on('exit', () => console.log('left after', Math.round(performance.now() - asked), 'ms'))
const asked = performance.now()
`

test.each([
  ['that answers', (): string => redis.url],
  ['that refuses', async (): Promise<string> => `redis://127.0.0.1:${await freePort()}`],
  [
    'that accepts and never answers',
    async (): Promise<string> => {
      const proxy = await faultProxy(redis.port)
      proxy.blackhole()
      return `redis://127.0.0.1:${proxy.port}`
    },
  ],
  ['whose host leads nowhere', (): string => 'redis://192.0.2.1:6379'],
])('a Redis %s keeps no process alive, and writes nothing to its console', async (_what, url) => {
  const app = await spawnApp({
    args: ['--input-type=module', '-e', ASKS_ONCE],
    env: { BALDUR_REDIS_URL: await url(), BALDUR_NAMESPACE: 'once' },
  })
  const exit = await app.exited
  expect([exit.code, app.stderr]).toEqual([0, []])
  expect(app.stdout[0]).toBe('healthy')
  expect(Number(/left after (\d+)/.exec(app.stdout[1] ?? '')?.[1])).toBeLessThan(300)
})
