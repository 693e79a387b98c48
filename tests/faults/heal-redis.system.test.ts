// @module-tag redis-server
import { type Check, createHealth, type Health } from '@baldur/health-core'
import { reconnectRedis } from '@baldur/health-core/heal'
import { type FaultProxy, faultProxy, startRedis, until } from 'health-testkit'
import { Redis, type RedisOptions } from 'ioredis'
import { createClient } from 'redis'
import { createClient as createClient4 } from 'redis-4'
import { createClient as createClient5 } from 'redis-5'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

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
  client = undefined
  health = undefined
  proxy.pass()
})
afterAll(async () => {
  await proxy.close()
  await redis.stop()
})

type Options = Pick<RedisOptions, 'enableReadyCheck' | 'lazyConnect' | 'retryStrategy'>

function connect(options: Options = {}): Redis {
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

/** What is needed of each version of the package `redis`. */
interface NodeRedis {
  connect(): Promise<unknown>
  disconnect(): Promise<unknown>
  ping(): Promise<string>
  on(event: 'error', listener: () => void): unknown
}

describe.each([
  ['4', createClient4 as (options: object) => unknown],
  ['5', createClient5 as (options: object) => unknown],
  ['newest', createClient as (options: object) => unknown],
])('a client of redis, %s', (_version, create) => {
  let other: NodeRedis
  const heal = (): unknown => reconnectRedis(other)(bounded(5_000))
  beforeEach(async () => {
    other = create({ url: `redis://127.0.0.1:${proxy.port}` }) as NodeRedis
    other.on('error', () => undefined)
    await other.connect()
  })
  afterEach(() => other.disconnect())

  test('that works is connected anew, on another connection', async () => {
    const { opened } = proxy
    await heal()
    expect(await other.ping()).toBe('PONG')
    expect(proxy.opened).toBe(opened + 1)
  })

  test('whose server never answers is connected anew, and what waited fails', async () => {
    proxy.blackhole()
    const waiting = other.ping().then(
      () => 'answered',
      () => 'failed',
    )
    // the question is lost, and nothing on its way back will ever answer it
    proxy.pass()
    await heal()
    expect(await waiting).toBe('failed')
    expect(await other.ping()).toBe('PONG')
  })

  test('that was closed is connected again', async () => {
    await other.disconnect()
    await heal()
    expect(await other.ping()).toBe('PONG')
  })
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
