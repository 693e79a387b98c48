import { connect, type Socket } from 'node:net'
import { until } from 'health-testkit'
import { afterEach, expect, it } from 'vitest'
import { type QueueUnderTest, queueUnderTest, type Runner } from '../testing/queue-under-test.ts'

let under: QueueUnderTest
afterEach(() => under.close())

const MB = 1_000_000
/** Answers with as many bytes as the path says. */
const sized: Runner = ({ url }, response) => void response.end(Buffer.alloc(Number(url.slice(1))))
const start = async (runners = 1): Promise<void> => {
  const room = { maxBodyBytes: 20 * MB, maxAnswerBytes: 20 * MB, maxKeptBytes: 20 * MB }
  under = await queueUnderTest(sized, { settings: room, runners })
}
const done = async (id: string): Promise<void> => {
  for (let status = ''; status !== 'COMPLETED'; )
    ({ status } = JSON.parse((await under.ask('GET', `/queue/requests/${id}/status`)).body))
}
const record = async (bytes: number): Promise<string> => {
  const id = await under.add(`/${bytes}`)
  await done(id)
  return id
}
const post = () => under.ask('POST', '/queue/0', { body: Buffer.alloc(10 * MB) })

it('answers 503 with Retry-After rather than to let a result go that nobody has fetched whole', async () => {
  await start()
  const first = await record(15 * MB)
  const refused = await post()
  expect([refused.status, refused.header('retry-after')]).toEqual([503, '1'])
  expect(JSON.parse(refused.body).error_type).toBe('runner_scheduling_failure')

  // one who asks only for the head, and one who leaves before the end
  await under.ask('HEAD', `/queue/requests/${first}`)
  const caller = connect(under.port, '127.0.0.1')
  await new Promise<void>((resolve) => {
    caller.once('data', () => caller.destroy()).once('close', () => resolve())
    caller.write(`GET /queue/requests/${first} HTTP/1.1\r\nHost: x\r\n\r\n`)
  })
  expect((await post()).status).toBe(503)

  expect((await under.ask('GET', `/queue/requests/${first}`)).bodyBytes).toHaveLength(15 * MB)
  expect((await post()).status).toBe(202)
  expect((await under.ask('GET', `/queue/requests/${first}`)).status).toBe(404)
  expect(under.lines.filter((line) => line.includes('queue.maxKeptBytes'))).toHaveLength(2)
})

it('hands out no more at a time than may be kept: readers that take nothing hold what has gone from the store', async () => {
  await start()
  const stuck: Socket[] = []
  const read = (id: string): Promise<void> =>
    new Promise((resolve) => {
      const caller = connect(under.port, '127.0.0.1')
      stuck.push(caller)
      caller.once('data', () => {
        caller.pause()
        resolve()
      })
      // the second one waits behind the first
      caller.write(`GET /queue/requests/${id} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2))
    })
  const fetch = async (id: string) => (await under.ask('GET', `/queue/requests/${id}`)).status
  const first = await record(15 * MB)
  await read(first)
  // it is the same memory for all who read it
  expect(await fetch(first)).toBe(200)
  const second = await record(15 * MB)
  expect(await fetch(first)).toBe(404)
  const refused = await under.ask('GET', `/queue/requests/${second}`)
  expect([refused.status, refused.header('retry-after')]).toEqual([503, '1'])
  expect((await under.ask('HEAD', `/queue/requests/${second}`)).status).toBe(200)
  for (const caller of stuck) caller.destroy()
  await until(async () => (await fetch(second)) === 200)
  for (let times = 0; times < 3; times += 1) expect(await fetch(second)).toBe(200)
})

it('begins nothing while unfetched answers take more than there is room for, and goes on when one was fetched', async () => {
  await start()
  const ids: string[] = []
  for (const bytes of [15 * MB, 15 * MB, 15 * MB, 5]) ids.push(await under.add(`/${bytes}`))
  const begun = () => under.seen.map(({ id }) => id)
  await done(ids[1] ?? '')
  // the third may have begun before the second was recorded
  await until(() => under.fleet.inUse === 0)
  expect(begun()).not.toContain(ids[3])
  for (const id of ids.slice(0, 2))
    expect((await under.ask('GET', `/queue/requests/${id}`)).bodyBytes).toHaveLength(15 * MB)
  await until(() => begun().includes(ids[3] ?? ''))
  await done(ids[3] ?? '')
  expect((await under.ask('GET', `/queue/requests/${ids[2]}`)).bodyBytes).toHaveLength(15 * MB)
  expect((await under.ask('GET', `/queue/requests/${ids[3]}`)).bodyBytes).toHaveLength(5)
})
