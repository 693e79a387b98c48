import { until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { type QueueUnderTest, queueUnderTest } from '../testing/queue-under-test.ts'

let under: QueueUnderTest
afterEach(() => under.close())
const clock = manualClock()

const statusOf = async (id: string): Promise<number> =>
  (await under.ask('GET', `/queue/requests/${id}`)).status

test('records 504 for what has not begun in time, while every runner is busy', async () => {
  under = await queueUnderTest((_, response) => void response.end('ok'), { clock, isStarted: false })
  under.fleet.concurrency = 0
  under.queue.start()
  const hasty = await under.add('/hasty', { 'x-baldur-start-timeout': '2.5' })
  const patient = await under.add('/patient')
  await clock.advance(2_400)
  expect(await statusOf(hasty)).toBe(202)
  await clock.advance(400)
  const answer = await under.ask('GET', `/queue/requests/${hasty}`)
  expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([504, 'startup_timeout'])
  expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: 'startup_timeout' })
  under.fleet.concurrency = 1
  under.fleet.tell()
  expect((await under.result(patient)).body).toBe('ok')
  expect(under.seen.map(({ url }) => url)).toEqual(['/patient'])
  expect((await under.ask('GET', `/queue/requests/${hasty}`)).status).toBe(504)
})

test('leaves what has begun in time, however long it takes and however often it begins again', async () => {
  const held: (() => void)[] = []
  under = await queueUnderTest(
    (seen, response) => {
      held.push(() => response.writeHead(seen.attempt === 1 ? 503 : 200).end())
    },
    { clock, settings: { backoffMs: 5_000, maxBackoffMs: 5_000 } },
  )
  const id = await under.add('/x', { 'x-baldur-start-timeout': '1' })
  await until(() => held.length === 1)
  await clock.advance(3_000)
  expect(await statusOf(id)).toBe(202)
  held.shift()?.()
  await until(async () => (await under.queue.counts()).waiting === 1)
  await clock.advance(4_900)
  expect(await statusOf(id)).toBe(202)
  await clock.advance(100)
  await until(() => held.length === 1)
  held.shift()?.()
  await until(async () => (await statusOf(id)) === 200)
  expect(under.seen.map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('backs off: a second, doubled each time, at most half a minute', async () => {
  const held: (() => void)[] = []
  const settings = { attempts: 8, backoffMs: 1_000, maxBackoffMs: 30_000 }
  under = await queueUnderTest((_, response) => void held.push(() => response.writeHead(503).end()), {
    clock,
    settings,
  })
  const id = await under.add('/x')
  const isWaiting = async (): Promise<boolean> => (await under.queue.counts()).waiting === 1
  const delays: number[] = []
  for (let attempt = 1; attempt < 8; attempt += 1) {
    await until(() => held.length === 1)
    held.shift()?.()
    await until(isWaiting)
    let waited = 0
    for (; await isWaiting(); waited += 500) await clock.advance(500)
    delays.push(waited)
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  await until(() => held.length === 1)
  held.shift()?.()
  await until(async () => (await statusOf(id)) === 503)
})
