// @module-tag redis-server
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FaultProxy,
  faultProxy,
  type PrivatePostgres,
  type PrivateServer,
  rawRequest,
  startPostgres,
  startRedis,
  until,
} from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, memberStarter, poll, told } from './fleet.ts'

let postgres: PrivatePostgres
let redis: PrivateServer
let proxy: FaultProxy
const startMember = memberStarter()
const start = (namespace: string, { dsn = postgres.url }: { dsn?: string } = {}): Promise<number> =>
  startMember({ dsn, namespace, redisUrl: redis.url })

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  proxy = await faultProxy(postgres.port)
})
afterAll(async () => {
  await proxy?.close()
  await Promise.all([postgres?.stop(), redis?.stop()])
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
