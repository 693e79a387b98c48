import { rawRequest, until } from 'health-testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, startListening, unlessLate } from './drain-process.ts'

afterAll(endProcesses)

const DELAY_MS = 600
const PATHS = ['/', '/health/ready', '/health/live']
const start = (...args: string[]) =>
  startListening('drain-fastify.mjs', args, { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: String(DELAY_MS / 1_000) })

describe.each(['unset', 'idle', 'true'])('Fastify with forceCloseConnections %s', (force) => {
  test('serves new connections for the delay, ends what is in flight, closes what is idle, and comes to its own end last', async () => {
    const app = await start(force)
    const idle = await Promise.all(Array.from({ length: 10 }, () => app.sent(get('/'))))
    for (const connection of idle) expect((await connection.read()).header('connection')).toBe('keep-alive')
    const silent = await app.connect()
    const slow = await app.sent(get('/slow?ms=1200'))
    const began = performance.now()
    await app.drain()
    const answers: [path: string, status: number][] = []
    for (let i = 0; performance.now() - began < DELAY_MS; i++) {
      const path = PATHS[i % PATHS.length] ?? '/'
      const answer = await app.get(path).catch(unlessLate(began + DELAY_MS))
      if (answer !== undefined) answers.push([path, answer.status])
    }
    expect(new Set(answers.map(String))).toEqual(new Set(['/,200', '/health/ready,503', '/health/live,200']))
    await until(app.isRefusing)
    const { status, body, header } = await slow.read()
    expect([status, body, header('connection')]).toEqual([200, 'waited 1200', 'close'])
    for (const connection of [...idle, silent, slow]) expect(await connection.closed()).toBe('end')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([0, null])
    expect(sinceSignalMs).toBeLessThan(1_200 + EXIT_MS)
    expect(app.stdout.slice(-4)).toEqual(['answered /slow?ms=1200', 'hook pool', 'onClose', 'exit 0'])
    expect(app.stderr).toEqual([])
  })

  test('is gone with the delay when it is idle', async () => {
    const app = await start(force)
    const idle = await Promise.all(Array.from({ length: 10 }, () => app.sent(get('/'))))
    app.signal('SIGTERM')
    for (const connection of idle) {
      expect(await connection.closed()).toBe('end')
      connection.close()
    }
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(DELAY_MS + EXIT_MS)
  })
})

test('on localhost every address that Fastify listens on serves for the delay, and closes after it', async () => {
  const app = await start('unset', 'localhost')
  const hosts = ['127.0.0.1', '::1']
  const ask = (host: string, path: string): Promise<string> =>
    rawRequest({ host, port: app.port, path }).then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
  const before = await Promise.all(hosts.map((host) => ask(host, '/')))
  await app.drain()
  for (const path of ['/', '/health/ready']) {
    const during = await Promise.all(hosts.map((host) => ask(host, path)))
    // where this machine has no IPv6, one of them was never there
    expect(during).toEqual(before.map((answer) => (answer === '200' && path !== '/' ? '503' : answer)))
  }
  expect(before).toContain('200')
  await until(async () =>
    (await Promise.all(hosts.map((host) => ask(host, '/')))).every((answer) => answer !== '200'),
  )
  const { code, sinceSignalMs } = await app.exited
  expect(code).toBe(0)
  expect(sinceSignalMs).toBeLessThan(DELAY_MS + EXIT_MS)
})
