import { Agent, request } from 'node:http'
import { rawRequest, type TimedResponse, until } from 'health-testkit'
import { afterAll, expect, test } from 'vitest'
import { endProcesses, get, startService, unlessLate } from './drain-process.ts'

afterAll(endProcesses)

/** As a client that opens a connection for each request. */
const fresh = (port: number, method: string): Promise<TimedResponse> =>
  rawRequest({ port, method, ...(method === 'POST' && { body: '{"item":"lamp"}' }) })

test('50 requests a second on new connections, half of them POST, see no error from before the signal until the delay is over', async () => {
  const app = await startService({ drain: { shutdownDelayMs: 1_500, settleMs: 300 } })
  const sent: Promise<TimedResponse | undefined>[] = []
  const began = performance.now()
  let signalled: number | undefined
  let due = began
  const end = (): number => (signalled ?? Number.POSITIVE_INFINITY) + 1_500
  while (performance.now() < end()) {
    await until(() => performance.now() >= due, { everyMs: 1 })
    if (performance.now() >= end()) break
    sent.push(
      fresh(app.port, sent.length % 2 === 0 ? 'GET' : 'POST').catch((error) => unlessLate(end())(error)),
    )
    due += 20
    if (signalled === undefined && performance.now() - began > 300) {
      signalled = performance.now()
      app.signal('SIGTERM')
    }
  }
  const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined)
  expect(answers.length).toBeGreaterThan(70)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await until(app.isRefusing)
  expect(await app.exited).toMatchObject({ code: 0, signal: null })
})

test('liveness and ping stay 200 for as long as anybody can ask, in a long drain too', async () => {
  const app = await startService({ drain: { shutdownDelayMs: 3_000, requestTimeoutMs: 3_000 } })
  const slow = await app.sent(get('/slow?ms=4000'))
  const began = performance.now()
  await app.drain()
  const answers: string[] = []
  while (performance.now() - began < 3_000) {
    for (const path of ['/health/live', '/health/ping', '/health/ready']) {
      const answer = await app.get(path).catch(unlessLate(began + 3_000))
      if (answer !== undefined) answers.push(`${path} ${answer.status}`)
    }
  }
  expect(new Set(answers)).toEqual(new Set(['/health/live 200', '/health/ping 200', '/health/ready 503']))
  await until(app.isRefusing)
  expect((await slow.read()).body).toBe('waited 4000')
  expect(await app.exited).toMatchObject({ code: 0, signal: null })
})

test('uploads that the app answers without reading them have their answer, in the delay as before it', async () => {
  const app = await startService({ drain: { shutdownDelayMs: 3_000 } })
  const agent = new Agent({ keepAlive: true })
  const upload = (): Promise<number | string | undefined> =>
    new Promise((resolve) => {
      const options = { port: app.port, host: '127.0.0.1', path: '/refuses', method: 'POST', agent }
      const asked = request(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).end(Buffer.alloc(5_000_000))
    })
  const uploads = async (): Promise<readonly unknown[]> => {
    const seen = new Set<unknown>()
    for (let i = 0; i < 20; i++) seen.add(await upload())
    return [...seen]
  }
  expect(await uploads()).toEqual([401])
  await app.drain()
  const began = performance.now()
  expect(await uploads()).toEqual([401])
  expect(performance.now() - began).toBeLessThan(2_700)
  agent.destroy()
  expect(await app.exited).toMatchObject({ code: 0, signal: null })
})
