import { until } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { DELAY_MS, type DemoUnderTest, EXIT_MS, get, ORDER, POST_HEAD } from './demo-under-test.ts'

const LONG = { DEMO_DATABASE: 'none', BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '1' }
/** The part of a delay of 1 s in which every answer says that it is the last on its connection. */
const TELLING_MS = 700

/** What an app answers is passed on whatever it is; of the probes only what is asked for traffic turns. */
const ANSWERS: readonly (readonly [path: string, status: number])[] = [
  ['/', 200],
  ['/api/baldur/health/live', 200],
  ['/orders', 200],
  ['/api/baldur/health/ping', 200],
  ['/api/baldur/health/ready', 503],
  ['/api/baldur/health/startup', 200],
  ['/status/418', 418],
  ['/nowhere', 404],
]

/** What it serves between its signal and its end. */
export function describeDrain({ start, send, sent, isRefusing, draining }: DemoUnderTest): void {
  describe('in a drain', () => {
    test('readiness turns at the next request, all else is served on new connections for the whole delay and told to close, then a connect is refused', async () => {
      const app = await start(LONG)
      expect((await send('/api/baldur/health/ready')).status).toBe(200)
      const began = performance.now()
      const since = (): number => performance.now() - began
      app.signal('SIGTERM')
      await draining()
      const ready = await send('/api/baldur/health/ready')
      expect([ready.status, ready.header('retry-after'), JSON.parse(ready.body)]).toEqual([
        503,
        '1',
        { status: 'draining', retry_after_seconds: 1, in_flight: 0 },
      ])

      const got: { path: string; status: number; connection: string | undefined; at: number }[] = []
      const ask = async (path: string): Promise<void> => {
        const { status, header } = await send(path, { headers: { connection: 'keep-alive' } })
        got.push({ path, status, connection: header('connection'), at: since() })
      }
      for (let i = 0; since() < 1_000; i++) {
        await ask(ANSWERS[i % ANSWERS.length]?.[0] ?? '/').catch((error: NodeJS.ErrnoException) => {
          // one that was held up on its way comes after the delay
          expect([error.code, since() > 1_000]).toEqual(['ECONNREFUSED', true])
        })
      }
      expect(got.length).toBeGreaterThan(ANSWERS.length)
      for (const { path, status } of got) expect([path, status]).toEqual([path, new Map(ANSWERS).get(path)])
      for (const { path, connection, at } of got) {
        if (at < TELLING_MS) expect([path, connection]).toEqual([path, 'close'])
      }
      // towards the end connections are kept again, and that is not taken back
      const told = got
        .filter(({ status, at }) => status !== 503 && at < 1_000)
        .map(({ connection }) => connection)
      expect([...told].sort()).toEqual(told)

      await until(isRefusing)
      expect(await app.exited).toMatchObject({ code: 0, signal: null })
      expect((await app.exited).sinceSignalMs).toBeLessThan(1_000 + EXIT_MS)
    })

    test('requests in flight on kept-alive connections end, before and after the listener has closed, their connections are closed, and the exit follows', async () => {
      const app = await start(LONG)
      const [soon, late] = [await sent(get('/slow?ms=300')), await sent(get('/slow?ms=1500'))]
      app.signal('SIGTERM')
      for (const [connection, ms] of [
        [soon, 300],
        [late, 1_500],
      ] as const) {
        const { status, body, header } = await connection.read()
        expect([status, body, header('connection')]).toEqual([200, `{"waited_ms":${ms}}`, 'close'])
        expect(await connection.closed()).toBe('end')
        connection.close()
      }
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(0)
      expect(sinceSignalMs).toBeGreaterThan(1_000)
      expect(sinceSignalMs).toBeLessThan(1_500 + EXIT_MS)
    })

    test('once no more connections are accepted, what was on its way is served, and readiness says draining', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const paths = ['/api/baldur/health/ready', '/api/baldur/health/live', '/']
      const late = await Promise.all(paths.map((path) => sent(get(path).slice(0, -2))))
      const held = await sent(POST_HEAD)
      app.signal('SIGTERM')
      await until(async () => {
        // half a request that does not go on is given up
        for (const connection of late) connection.send('X-More: y\r\n')
        return isRefusing()
      })
      for (const connection of late) connection.send('\r\n')
      const answers = await Promise.all(late.map((connection) => connection.read()))
      expect(answers.map(({ status }) => status)).toEqual([503, 200, 200])
      expect(answers.map(({ header }) => header('connection'))).toEqual(['close', 'close', 'close'])
      const { status, in_flight } = JSON.parse(answers[0]?.body ?? '')
      expect([status, in_flight > 0]).toEqual(['draining', true])
      for (const connection of late) expect(await connection.closed()).toBe('end')
      held.send(ORDER)
      expect((await held.read()).status).toBe(201)
      expect(await app.exited).toMatchObject({ code: 0 })
    })

    test('a connection that is open is served and told to close, and one that is idle until the end gets its end, never a reset', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const [used, idle] = [await sent(get('/')), await sent(get('/'))]
      for (const connection of [used, idle]) {
        expect((await connection.read()).header('connection')).toBe('keep-alive')
      }
      app.signal('SIGTERM')
      await draining()
      used.send(get('/'))
      const { status, header } = await used.read()
      expect([status, header('connection')]).toEqual([200, 'close'])
      for (const connection of [used, idle]) expect(await connection.closed()).toBe('end')
      expect((await app.exited).sinceSignalMs).toBeGreaterThan(DELAY_MS)
      expect(await app.exited).toMatchObject({ code: 0 })
    })
  })
}
