// @module-tag redis-server
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type PrivatePostgres,
  type PrivateServer,
  rawRequest,
  startPostgres,
  startRedis,
  until,
} from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, INTERVAL_MS, memberStarter, poll, runsOf } from './fleet.ts'

let postgres: PrivatePostgres
let redis: PrivateServer
const startMember = memberStarter()

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
})
afterAll(() => Promise.all([postgres?.stop(), redis?.stop()]))

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

interface Birth {
  readonly ageMs: number
  /** On our clock, the entry was made between these two: its age was taken between question and answer, and is rounded. */
  readonly earliest: number
  readonly latest: number
}

async function birthOf(port: number): Promise<Birth> {
  const askedAt = performance.now()
  const { body } = await rawRequest({ port, path: '/health' })
  const { age_ms: ageMs } = (JSON.parse(body) as Answer['body'])._cache
  return { ageMs, earliest: askedAt - ageMs - 1, latest: performance.now() - ageMs + 1 }
}

/** One that is old enough that an age of nearly 0, whatever clock it comes from, is not taken for its own. */
const speakOfOneEntry = (births: readonly Birth[]): boolean =>
  births.every(({ ageMs }) => ageMs >= INTERVAL_MS / 4) &&
  Math.max(...births.map(({ earliest }) => earliest)) <= Math.min(...births.map(({ latest }) => latest))

test('four processes on one Redis, whose clocks differ by an hour, compute about once per interval in all', async () => {
  const ports = await Promise.all(
    [0, 1, -1, 0.5].map((hours) =>
      startMember({ dsn: postgres.url, namespace: 'four', redisUrl: redis.url, hours }),
    ),
  )
  const { perInterval, odd, rate } = await measure(ports, 200)
  expect(odd.slice(0, 3)).toEqual([])
  expect(rate).toBeGreaterThan(400)
  expect(perInterval).toBeGreaterThan(0.6)
  expect(perInterval).toBeLessThan(1.5)
  await until(async () => speakOfOneEntry(await Promise.all(ports.map(birthOf))), {
    ...{ timeoutMs: 30_000, everyMs: 20, message: 'all four to show the age of one entry' },
  })
})

test('one process without Redis, polled 2 000 times a second, computes about once per interval', async () => {
  const { perInterval, odd, rate } = await measure([await startMember({ dsn: postgres.url })], 2_000)
  expect(odd.slice(0, 3)).toEqual([])
  expect(rate).toBeGreaterThan(500)
  expect(perInterval).toBeGreaterThan(0.6)
  expect(perInterval).toBeLessThan(1.5)
})
