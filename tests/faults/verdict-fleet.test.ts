import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type FaultProxy,
  faultProxy,
  type PrivatePostgres,
  type PrivateServer,
  rawRequest,
  type SpawnedApp,
  spawnApp,
  startPostgres,
  startRedis,
  until,
} from 'health-testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

// a tenth of the usual numbers, so that a test sees many intervals
const INTERVAL_MS = 1_000
const SHORT = {
  BALDUR_PRECOMPUTED_CACHE_L1_TTL_SECONDS: '0.2',
  BALDUR_PRECOMPUTED_CACHE_L2_TTL_SECONDS: '1.5',
  BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS: '1',
}

interface Answer {
  readonly status: number
  readonly body: {
    readonly status: string
    readonly _cache: { readonly hit: string; readonly age_ms: number }
  }
}

interface Told {
  readonly runs: number
  readonly history: readonly unknown[]
}

let postgres: PrivatePostgres
let redis: PrivateServer
let proxy: FaultProxy
let apps: SpawnedApp[] = []

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  proxy = await faultProxy(postgres.port)
})
afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()))
  apps = []
})
afterAll(async () => {
  await proxy?.close()
  await Promise.all([postgres?.stop(), redis?.stop()])
})

async function start(
  namespace: string | undefined,
  { dsn = postgres.url, hours = 0 }: { dsn?: string; hours?: number } = {},
): Promise<number> {
  const shared = namespace === undefined ? {} : { BALDUR_REDIS_URL: redis.url, BALDUR_NAMESPACE: namespace }
  const app = await spawnApp({
    args: [fileURLToPath(new URL('fleet-service.mjs', import.meta.url)), dsn, String(hours)],
    env: { ...SHORT, ...shared },
    readyPattern: /listening on (\d+)/,
  })
  apps.push(app)
  return Number(app.ready?.[1])
}

const told = async (port: number): Promise<Told> =>
  JSON.parse((await rawRequest({ port, path: '/' })).body) as Told
const runsOf = async (ports: readonly number[]): Promise<number> =>
  (await Promise.all(ports.map(told))).reduce((sum, { runs }) => sum + runs, 0)

/** Polls a port at a rate, whatever its answers take, until it is stopped. */
function poll(port: number, perSecond: number, onAnswer: (answer: Answer) => void): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const startedAt = performance.now()
  let asked = 0
  let open = 0
  const ask = (): void => {
    asked += 1
    open += 1
    get({ port, host: '127.0.0.1', path: '/health', agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        open -= 1
        onAnswer({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] })
      })
    }).on('error', (error) => {
      open -= 1
      onAnswer({ status: 0, body: { status: String(error), _cache: { hit: '', age_ms: 0 } } })
    })
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (asked < due && open < 200) ask()
  }, 5)
  return async () => {
    clearInterval(timer)
    await until(() => open === 0)
    agent.destroy()
    return asked
  }
}

/** Computations per refresh interval while all are polled, the first intervals left out. */
async function measure(
  ports: readonly number[],
  perSecond: number,
  { warmMs = 3_000, forMs = 15_000 } = {},
): Promise<{ readonly perInterval: number; readonly odd: readonly Answer[]; readonly rate: number }> {
  const odd: Answer[] = []
  const polls = ports.map((port) =>
    poll(port, perSecond, (answer) => {
      const { status, body } = answer
      if (status !== 200 || body.status !== 'healthy' || body._cache.age_ms > 1_500) odd.push(answer)
    }),
  )
  await sleep(warmMs)
  const before = await runsOf(ports)
  const startedAt = performance.now()
  await sleep(forMs)
  const runs = (await runsOf(ports)) - before
  const tookMs = performance.now() - startedAt
  const asked = await Promise.all(polls.map((stop) => stop()))
  const rate = asked.reduce((sum, count) => sum + count, 0) / ((tookMs + warmMs) / 1_000)
  return { perInterval: runs / (tookMs / INTERVAL_MS), odd, rate }
}

test('four processes on one Redis, whose clocks differ by an hour, compute about once per interval in all', async () => {
  const ports = await Promise.all([0, 1, -1, 0.5].map((hours) => start('four', { hours })))
  const { perInterval, odd, rate } = await measure(ports, 200)
  expect(odd.slice(0, 3)).toEqual([])
  expect(rate).toBeGreaterThan(400)
  expect(perInterval).toBeGreaterThan(0.6)
  expect(perInterval).toBeLessThanOrEqual(1.3)
  // they speak of one entry: their ages at one moment are alike
  const ages = await Promise.all(
    ports.map(async (port) => {
      const { body } = await rawRequest({ port, path: '/health' })
      return (JSON.parse(body) as Answer['body'])._cache.age_ms
    }),
  )
  expect(Math.max(...ages)).toBeLessThan(1_500)
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
})

test('one process without Redis, polled 2 000 times a second, computes about once per interval', async () => {
  const { perInterval, odd, rate } = await measure([await start(undefined)], 2_000)
  expect(odd.slice(0, 3)).toEqual([])
  expect(rate).toBeGreaterThan(500)
  expect(perInterval).toBeGreaterThan(0.6)
  expect(perInterval).toBeLessThanOrEqual(1.3)
})

test('one whose own network to the database is broken makes no other unhealthy, and never answers healthy itself', async () => {
  const broken = await start('broken', {
    dsn: postgres.url.replace(String(postgres.port), String(proxy.port)),
  })
  const others = await Promise.all([start('broken'), start('broken')])
  const odd: Answer[] = []
  const stops = others.map((port) =>
    poll(port, 100, (answer) => {
      if (answer.status !== 200 || answer.body.status !== 'healthy') odd.push(answer)
    }),
  )
  await until(async () => (await rawRequest({ port: broken, path: '/health' })).status === 200)
  for (const fault of [() => proxy.reset(), () => proxy.blackhole()]) {
    fault()
    // when it is its turn to compute, which is a matter of chance each interval
    await until(async () => (await rawRequest({ port: broken, path: '/health' })).status === 503, {
      timeoutMs: 20_000,
    })
    const seen: number[] = []
    const stop = poll(broken, 100, ({ status }) => seen.push(status))
    await sleep(4_000)
    await stop()
    expect(seen.length).toBeGreaterThan(100)
    expect(new Set(seen)).toEqual(new Set([503]))
    proxy.pass()
    await until(async () => (await rawRequest({ port: broken, path: '/health' })).status === 200, {
      timeoutMs: 15_000,
    })
  }
  for (const stop of stops) await stop()
  expect(odd.slice(0, 3)).toEqual([])
  for (const port of others) expect((await told(port)).history).toEqual([])
}, 90_000)

test('services with namespaces of their own never read each other', async () => {
  const down = await start('ns-a', { dsn: 'postgres://postgres@127.0.0.1:1/postgres' })
  const up = await start('ns-b')
  for (let i = 0; i < 100; i++) {
    const [one, other] = await Promise.all([down, up].map((port) => rawRequest({ port, path: '/health' })))
    expect([one?.status, other?.status]).toEqual([503, 200])
    await sleep(20)
  }
})
