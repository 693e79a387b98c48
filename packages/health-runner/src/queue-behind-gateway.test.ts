import { systemClock } from '@baldur/health-core/internal'
import { rawConnection } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { createGateway } from './gateway/create-gateway.ts'
import { createExchange } from './gateway/exchange.ts'
import { type QueueUnderTest, queueUnderTest, type Runner } from './testing/queue-under-test.ts'

let under: QueueUnderTest
afterEach(() => under.close())

const SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  prefix: '/gateway',
  requestTimeoutMs: 5_000,
  waitingLine: { max: 10, timeoutMs: 1_000 },
}
const exchange = createExchange({ clock: systemClock })

const start = async (runner: Runner, settings: Parameters<typeof queueUnderTest>[1] = {}) => {
  under = await queueUnderTest(runner, {
    ...settings,
    exchange,
    front: (queue, { fleet, logger }) => {
      const snapshot = () => ({ wanted: 1, runners: [], guard: { ended: 0, allowed: 1 } })
      const parts = { ...fleet, take: fleet.take, hasReady: true, snapshot }
      return createGateway(SETTINGS, {
        fleet: parts,
        exchange,
        logger,
        clock: systemClock,
        queue: queue.handle,
      }).server
    },
  })
}

test('a crowd through the gateway: each ends once, whatever its runners do', async () => {
  let turn = 0
  await start(
    (seen, response) => {
      turn += 1
      if (turn % 5 === 1) return void response.destroy()
      if (turn % 5 === 2) return void response.writeHead(503).end('ill')
      if (turn % 5 === 3) {
        response.writeHead(200, { 'Content-Length': 10 })
        return void response.write('abc', () => response.destroy())
      }
      response.end(`${seen.url} ${seen.body}`)
    },
    { runners: 3, settings: { attempts: 100, backoffMs: 1, maxBackoffMs: 4 } },
  )
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, index) => under.add(`/x?${index}`, {}, `body ${index}`)),
  )
  const bodies = await Promise.all(ids.map(async (id) => (await under.result(id)).body))
  expect(bodies).toEqual(ids.map((_, index) => `/x?${index} body ${index}`))
  expect(Math.max(...under.together.values())).toBe(1)
  expect(under.seen[0]?.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
  })
})

test('a direct request goes by the queue, on the same runners', async () => {
  await start((seen, response) => void response.end(`direct ${seen.url}`))
  expect((await under.ask('GET', '/orders?a=1')).body).toBe('direct /orders?a=1')
})

test.each([
  ['HEAD', { 'x-baldur-method': 'HEAD' }, 200],
  ['204', {}, 204],
  ['304', {}, 304],
])('replays an answer without a body: %s', async (_what, headers, status) => {
  await start((_, response) => void response.writeHead(status, { 'X-Mine': '1' }).end())
  const answer = await under.result(await under.add('/x', headers))
  expect([answer.status, answer.header('x-mine'), answer.body]).toEqual([status, '1', ''])
})

test('nobody is asked for a body that is not wanted', async () => {
  await start((_, response) => void response.end())
  const ask = async (length: number) => {
    const connection = await rawConnection({ port: under.port })
    connection.send(
      `POST /queue/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    )
    if (length < 10) {
      while (connection.unread === '') await new Promise((resolve) => setTimeout(resolve, 2))
      connection.send('x'.repeat(length))
    }
    const answer = await connection.read()
    connection.close()
    return [answer.status, answer.informational.length]
  }
  expect(await ask(1_000_000)).toEqual([413, 0])
  expect(await ask(3)).toEqual([202, 1])
})
