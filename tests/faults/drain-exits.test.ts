import { selfSigned } from 'health-testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, QUICK, startProgram, startService } from './drain-process.ts'

afterAll(endProcesses)

const many = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one))

describe('a crowd of connections on which nothing happens', () => {
  test('100 idle ones, 10 that never sent a byte and 10 that sent half a head are gone with the delay: exit code 0', async () => {
    const app = await startService({ drain: { shutdownDelayMs: 1_000 } })
    const idle = await many(100, app.connect)
    for (const connection of idle) {
      connection.send(get('/'))
      expect((await connection.read()).header('connection')).toBe('keep-alive')
    }
    const silent = await many(10, app.connect)
    const half = await many(10, () => app.sent('POST / HTTP/1.1\r\nHost: x\r\nContent-Le'))
    app.signal('SIGTERM')
    const ends = await Promise.all([...idle, ...silent, ...half].map((connection) => connection.closed()))
    expect(new Set(ends)).toEqual(new Set(['end']))
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(1_000 + EXIT_MS)
    expect(app.stderr).toEqual([])
  })

  test('10 half-done TLS handshakes likewise', async () => {
    const app = await startService({
      drain: { shutdownDelayMs: 1_000, tls: await selfSigned() },
      server: 'tls',
    })
    const connections = await many(10, app.connect)
    // the first bytes of a ClientHello
    for (const connection of connections) connection.send(Buffer.from([0x16, 3, 1, 2, 0, 1, 0]))
    app.signal('SIGTERM')
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(1_000 + EXIT_MS)
  })

  test('100 clients that abort in the middle of an answer are forgotten', async () => {
    const app = await startService()
    const clients = await many(100, app.connect)
    for (const client of clients) client.send(get('/chunks?ms=600'))
    await expect.poll(() => clients.every(({ unread }) => unread.includes('chunk 0'))).toBe(true)
    for (const client of clients) client.reset()
    await app.get('/')
    await app.drain()
    expect(JSON.parse((await app.get('/health/ready')).body)).toMatchObject({
      status: 'draining',
      in_flight: 0,
    })
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    expect(app.stderr).toEqual([])
  })
})

describe.concurrent('what does not end', () => {
  test('requests are aborted after their time, counted, and named without their queries: exit code 1', async () => {
    const app = await startService({ drain: { requestTimeoutMs: 700 }, hooks: [['pool', 'ok']] })
    const hung = [await app.sent(get('/hang?token=secret')), await app.sent(get('/slow?ms=60000'))]
    const upload = await app.sent('POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf')
    expect((await upload.read()).body).toBe('not found')
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([1, null])
    expect(sinceSignalMs).toBeGreaterThan(QUICK.shutdownDelayMs + 700)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + 700 + EXIT_MS)
    expect(app.stderr).toEqual([
      expect.stringMatching(/aborted 2 still running after 700 ms: GET \/hang, GET \/slow$/),
    ])
    expect(app.stdout).toContain('hook pool')
    for (const connection of hung) await expect(connection.read()).rejects.toThrow(/came before a response/)
  })

  test('hooks that throw, reject and hang are named, the others run, in bounded time: exit code 1', async () => {
    const app = await startService({
      hooks: [
        ['logger', 'ok', { after: '*' }],
        ['workers', 'throw'],
        ['queue', 'hang'],
        ['cache', 'reject'],
        ['database', 'hang', { timeoutMs: 100 }],
        ['pool', 'ok'],
      ],
    })
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([1, null])
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + QUICK.hookTimeoutMs + EXIT_MS)
    expect(app.stdout.filter((line) => line.startsWith('hook'))).toEqual(
      ['workers', 'queue', 'cache', 'database', 'pool', 'logger'].map((name) => `hook ${name}`),
    )
    expect(app.stderr).toHaveLength(4)
    expect(app.stderr.join('\n')).toMatch(
      /hook workers failed: .*the hook failed[\s\S]*hook queue did not end in \d+ ms[\s\S]*hook cache failed: .*no reason[\s\S]*hook database did not end in 100 ms/,
    )
  })

  test('a hung request and a hung hook leave a platform that kills after 10 s nothing to kill', async () => {
    const unset = { shutdownDelayMs: undefined, settleMs: undefined, lingerMs: undefined }
    const app = await startService(
      {
        drain: { ...unset, requestTimeoutMs: undefined, hookTimeoutMs: undefined },
        hooks: [
          ['stuck', 'hang'],
          ['pool', 'ok'],
        ],
      },
      { BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '10' },
    )
    await app.sent(get('/hang'))
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([1, null])
    expect(sinceSignalMs).toBeGreaterThan(8_000)
    expect(sinceSignalMs).toBeLessThan(10_000)
    expect(app.stdout.filter((line) => /hook|exit/.test(line))).toEqual(['hook stuck', 'hook pool', 'exit 1'])
    expect(app.stderr.join('\n')).toMatch(/GET \/hang[\s\S]*hook stuck did not end/)
  })
})

describe.concurrent('durations that cannot fit', () => {
  const refusal = async (drain: object, env: Record<string, string> = {}): Promise<string> => {
    const app = await startProgram('drain-service.mjs', [JSON.stringify({ drain, start: 'listen' })], { env })
    expect(await app.exited).toMatchObject({ code: 1 })
    expect(app.stdout.filter((line) => line.startsWith('listening'))).toEqual([])
    return app.stderr.join('\n')
  }

  test('stop the start, with their sum in the message', async () => {
    expect(await refusal({ shutdownDelayMs: 15_000, requestTimeoutMs: 20_000 })).toMatch(
      /gracePeriodMs: expected at least what the drain takes: preStopMs 0 \+ shutdownDelayMs 15000 \+ hookTimeoutMs 3000 \+ margin 2000 \+ requestTimeoutMs 20000 = 40000 milliseconds, got 30000/,
    )
  })

  test('whoever gave them, each named by its option or its variable', async () => {
    const env = { BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '10', BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS: '9.5' }
    expect(await refusal({ hookTimeoutMs: 1_000, shutdownDelayMs: 1_000 }, env)).toMatch(
      /BALDUR_DRAIN_GRACE_PERIOD_SECONDS: expected at least .*shutdownDelayMs 1000 \+ .*BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS 9500 = \d+ milliseconds, got 10000/,
    )
  })
})
