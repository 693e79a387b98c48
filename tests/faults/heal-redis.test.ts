import { type Check, createHealth, type Health } from '@baldur/health-core'
import { reconnectRedis } from '@baldur/health-core/heal'
import { type FaultProxy, faultProxy, startRedis, until } from 'health-testkit'
import { Redis, type RedisOptions } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let redis: Awaited<ReturnType<typeof startRedis>>
let proxy: FaultProxy
let client: Redis | undefined
let health: Health | undefined

beforeAll(async () => {
  redis = await startRedis()
  proxy = await faultProxy(redis.port)
})
afterEach(async () => {
  await health?.close()
  client?.disconnect()
  health = undefined
  proxy.pass()
})
afterAll(async () => {
  await proxy.close()
  await redis.stop()
})

function connect(options: RedisOptions = {}): Redis {
  client = new Redis({ host: '127.0.0.1', port: proxy.port, maxRetriesPerRequest: null, ...options })
  client.on('error', () => undefined)
  return client
}
const bounded = (ms: number): AbortSignal => AbortSignal.timeout(ms)

test('a check whose connection stalls for ever comes back by healing, and its events say how', async () => {
  // each connection is good for so many bytes of answers: a fault that only a new one ends
  proxy.stallAfter(600)
  const own = connect({ enableReadyCheck: false })
  const check: Check = {
    name: 'cache',
    timeoutMs: 200,
    heal: { run: reconnectRedis(own), afterFailures: 2, cooldownMs: 0 },
    run: async (signal) => {
      await Promise.race([
        own.ping(),
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ])
    },
  }
  health = createHealth({
    env: {},
    watchdog: false,
    checks: [check],
    readiness: { cacheTtlMs: 0 },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const asked = health
  const steps: string[] = []
  health.on('heal', ({ name, kind, attempt }) => steps.push(`${name} ${kind} ${attempt}`))
  const isReady = async (): Promise<boolean> => (await asked.readiness()).status === 'ready'
  await until(isReady)
  await until(async () => !(await isReady()))
  await until(isReady, { timeoutMs: 10_000 })
  expect(steps.slice(0, 2)).toEqual(['cache started 1', 'cache succeeded 1'])
})

test('a client that works is connected anew, on another connection', async () => {
  const own = connect()
  await own.ping()
  const before = await own.client('ID')
  await reconnectRedis(own)(bounded(5_000))
  expect(own.status).toBe('ready')
  expect(await own.client('ID')).not.toBe(before)
  expect(own.listenerCount('ready')).toBe(0)
})

test('a client that has given up is connected again', async () => {
  const own = connect({ retryStrategy: () => null })
  await own.ping()
  proxy.reset()
  await until(() => own.status === 'end')
  proxy.pass()
  await reconnectRedis(own)(bounded(5_000))
  expect(await own.ping()).toBe('PONG')
})

test('a client that was never asked is connected', async () => {
  const own = connect({ lazyConnect: true })
  await reconnectRedis(own)(bounded(5_000))
  expect(own.status).toBe('ready')
})

test('a server that does not answer: it ends with the signal, and leaves no listener', async () => {
  const own = connect()
  await own.ping()
  proxy.blackhole()
  await expect(reconnectRedis(own)(bounded(300))).rejects.toThrow(/timeout/)
  expect(own.listenerCount('ready')).toBe(0)
  proxy.pass()
  proxy.reset()
  proxy.pass()
  await until(async () => own.status === 'ready')
})

test.each([[undefined], [null], ['redis://:s3cret@h'], [{}], [{ status: 'ready' }]])(
  '%j is no client',
  (given) => {
    let told = ''
    try {
      reconnectRedis(given as never)
    } catch (error) {
      told = String(error)
    }
    expect(told).toContain('reconnectRedis(client): expected a client of ioredis or redis')
    expect(told).not.toContain('s3cret')
  },
)
