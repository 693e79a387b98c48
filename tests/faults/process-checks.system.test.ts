import { rawConnection, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { HEALTHY, processService } from './process-service.ts'

const service = processService()
const { start, get, verdict } = service

test('a fresh start is healthy, though loading blocked the event loop', async () => {
  await start()
  expect(await verdict()).toEqual(HEALTHY)
})

test('an event loop that was blocked for 2 s reads degraded at the next look, HTTP 200, and healthy at the one after', async () => {
  await start()
  expect(await verdict()).toEqual(HEALTHY)
  await get('/block?ms=2000')
  expect(await verdict()).toEqual([200, 'degraded', 'unhealthy', 'healthy'])
  await until(async () => (await verdict())[1] === 'healthy', { timeoutMs: 3_000 })
})

test('a look that is the first thing to run after the pause sees it', async () => {
  await start()
  expect(await verdict()).toEqual(HEALTHY)
  // both requests are there before either is handled, so that the probe is next in line when the pause ends
  const connection = await rawConnection({ port: service.port })
  connection.send('GET /block?ms=2000 HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.read()
  expect(JSON.parse((await connection.read()).body)).toMatchObject({
    status: 'degraded',
    checks: { event_loop: 'unhealthy' },
  })
  connection.close()
})

test('pauses that are short but leave no time read degraded by utilisation, and healthy when they are over', async () => {
  await start()
  expect(await verdict()).toEqual(HEALTHY)
  await get('/busy?ms=60000')
  await until(async () => (await verdict())[2] === 'unhealthy', { everyMs: 1_200, timeoutMs: 25_000 })
  await get('/busy?ms=0')
  await until(async () => (await verdict())[2] === 'healthy', { everyMs: 1_200, timeoutMs: 25_000 })
})
