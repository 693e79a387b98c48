import { until } from 'health-testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, QUICK, startService } from './drain-process.ts'

afterAll(endProcesses)

const LONG = { drain: { requestTimeoutMs: 5_000 } }
/** After this a further signal is no repeat. */
const REPEAT_MS = 1_000

describe.concurrent('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s drains, and the exit code is 0', async (signal) => {
    const app = await startService({ hooks: [['pool', 'ok']] })
    app.signal(signal)
    const { code, signal: raw, sinceSignalMs } = await app.exited
    expect([code, raw]).toEqual([0, null])
    expect(sinceSignalMs).toBeGreaterThan(QUICK.shutdownDelayMs)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    const lines = app.stdout.filter((line) => /^(?:drains|hook|exit)/.test(line))
    expect(lines).toEqual(['drains, listening: true', 'hook pool', 'exit 0'])
    expect(app.stderr).toEqual([])
  })

  test('lets the server tell its own listeners that it has closed, before the hooks, also where nothing was open', async () => {
    const app = await startService({ hooks: [['pool', 'ok']] })
    app.signal('SIGTERM')
    await app.exited
    const lines = app.stdout.filter((line) => /^(?:closed|hook|exit)/.test(line))
    expect(lines).toEqual(['closed', 'hook pool', 'exit 0'])
  })

  test('repeated within a second, by whatever of them, changes nothing, and hooks run once', async () => {
    const app = await startService({ hooks: [['pool', 'ok']] })
    const slow = await app.sent(get('/slow?ms=800'))
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) app.signal(signal)
    await app.waitForLine(/^drains/)
    app.signal('SIGINT')
    expect((await slow.read()).body).toBe('waited 800')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stdout.filter((line) => line === 'hook pool')).toHaveLength(1)
    expect(app.stdout.filter((line) => line.startsWith('drains'))).toHaveLength(1)
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second one after a second, %s, exits at once with %i', async (signal, expected) => {
    const app = await startService(LONG)
    await app.sent(get('/hang'))
    await app.drain()
    const began = performance.now()
    await until(() => performance.now() - began > REPEAT_MS)
    const second = performance.now()
    app.signal(signal)
    expect(await app.exited).toMatchObject({ code: expected, signal: null })
    expect(performance.now() - second).toBeLessThan(EXIT_MS / 2)
  })

  test.each([
    ['/throw?ms=0', 1],
    ['/start', 0],
  ])('after a drain that began otherwise (%s) is the first one', async (path, code) => {
    const app = await startService({ ...LONG, signals: { fatal: true } })
    const slow = await app.sent(get('/slow?ms=2000'))
    await app.get(path)
    await app.waitForLine(/^drains/)
    const began = performance.now()
    await until(() => performance.now() - began > REPEAT_MS)
    app.signal('SIGTERM')
    expect((await slow.read()).body).toBe('waited 2000')
    expect(await app.exited).toMatchObject({ code, signal: null })
  })

  test('a second one exits at once while a hook hangs too, and runs none again', async () => {
    const app = await startService({
      drain: { hookTimeoutMs: 10_000 },
      hooks: [
        ['stuck', 'hang'],
        ['pool', 'ok'],
      ],
    })
    await app.drain()
    await app.waitForLine(/^hook stuck/)
    const began = performance.now()
    await until(() => performance.now() - began > REPEAT_MS)
    app.signal('SIGTERM')
    expect(await app.exited).toMatchObject({ code: 143, signal: null })
    expect(app.stdout.filter((line) => line.startsWith('hook'))).toEqual(['hook stuck'])
  })

  test('other ones may be chosen, and those that are not are not touched', async () => {
    const app = await startService({ signals: { signals: ['SIGUSR2'] } })
    app.signal('SIGUSR2')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    const other = await startService({ signals: { signals: ['SIGUSR2'] } })
    other.signal('SIGTERM')
    expect(await other.exited).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  test('from inside a request drains too, and the request has its answer', async () => {
    const app = await startService()
    const { status, body, header } = await app.get('/kill')
    expect([status, body, header('connection')]).toEqual([200, 'draining', 'close'])
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })

  test('is not needed: a drain that the app begins ends the process too, and a signal meanwhile changes nothing', async () => {
    const app = await startService({ hooks: [['pool', 'ok']] })
    expect((await app.get('/start')).header('connection')).toBe('close')
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([0, null])
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    expect(app.stdout.filter((line) => line === 'hook pool')).toHaveLength(1)
  })

  test('ends the process also when the drain had begun before anybody listened for signals', async () => {
    const app = await startService({ start: 'begun' })
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([0, null])
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
  })

  test('whose name nobody can listen for is refused at the start, with everything else that is wrong', async () => {
    const app = await startService({
      signals: { signals: ['SIGKILL'], exit: 'yes', fatale: true } as never,
      start: 'before listen',
    }).catch((error: Error) => error.message)
    expect(app).toMatch(/fatale: expected one of/)
    expect(app).toMatch(/exit: expected true or false, got "yes"/)
    expect(app).toMatch(/signals: expected an array of names/)
  })

  test.each([
    ['/', 0],
    ['/hang', 1],
  ])(
    'without an exit of ours the process ends by itself, after GET %s with the code %i',
    async (path, expected) => {
      const app = await startService({ drain: { requestTimeoutMs: 500 }, signals: { exit: false } })
      await app.sent(get(path))
      app.signal('SIGTERM')
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(expected)
      expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + 500 + EXIT_MS)
      expect(app.stdout.slice(-2)).toEqual(['nothing is left to do', `exit ${expected}`])
    },
  )
})
