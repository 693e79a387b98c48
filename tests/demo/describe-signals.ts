import { type RawConnection, until } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { isEmpty, temporaryFolder } from '../temporary-folder.ts'
import { DELAY_MS, type DemoUnderTest, EXIT_MS, get, ORDER, POST_HEAD } from './demo-under-test.ts'

/** A drain that waited for a hung request would take its whole minute, or the more than 20 s that a drain allows. */
const HUNG_MS = 15_000

/** As clients do: it ends its side when the demo has ended its own. */
function polite(connection: RawConnection): RawConnection {
  void connection.closed({ timeoutMs: 20_000 }).finally(() => connection.close())
  return connection
}

/** How it ends. */
export function describeSignals({ start, send, sent, isRefusing }: DemoUnderTest): void {
  describe('on a signal', () => {
    test('connections that are idle, that never sent a request, and half of one, do not hold up the exit; a repeated signal changes nothing', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const idle = await Promise.all(Array.from({ length: 10 }, () => sent(get('/'))))
      for (const connection of idle) expect((await polite(connection).read()).status).toBe(200)
      const open = await Promise.all(
        ['', '', '', 'G', POST_HEAD.slice(0, 40), POST_HEAD.slice(0, -2)].map((text) => sent(text)),
      )
      const slow = await sent(get('/slow?ms=300'))
      app.signal('SIGTERM')
      app.signal('SIGTERM')
      app.signal('SIGINT')
      expect(await slow.read()).toMatchObject({ status: 200, body: '{"waited_ms":300}' })
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(0)
      expect(sinceSignalMs).toBeGreaterThan(DELAY_MS)
      expect(sinceSignalMs).toBeLessThan(DELAY_MS + EXIT_MS)
      expect(app.stderr).toEqual([])
      for (const connection of open) connection.close()
    })

    test('a client that has hung up is neither waited for nor spoken of', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const clients = [
        await sent(get('/slow?ms=60000').repeat(2)),
        await sent(get('/slow?ms=50')),
        await sent(`${POST_HEAD}{`),
      ]
      for (const client of clients) client.reset()
      expect((await send('/slow?ms=100')).status).toBe(200)
      app.signal('SIGTERM')
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(0)
      expect(sinceSignalMs).toBeLessThan(DELAY_MS + EXIT_MS)
      expect(app.stderr).toEqual([])
    })

    test('a request that does not end is aborted after its time and named without its query, and the exit code is 1', async () => {
      const app = await start({ DEMO_DATABASE: 'none', BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS: '1' })
      const hung = await sent(get('/slow?ms=60000&token=secret'))
      app.signal('SIGTERM')
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(1)
      expect(sinceSignalMs).toBeGreaterThan(DELAY_MS + 1_000)
      expect(sinceSignalMs).toBeLessThan(HUNG_MS)
      expect(app.stderr).toEqual([expect.stringMatching(/aborted 1 .*: GET \/slow$/)])
      await expect(hung.read()).rejects.toThrow(/came before a response/)
    })

    test('a second one, more than a second later, ends it at once with 128 and its number', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      await sent(get('/slow?ms=60000'))
      app.signal('SIGTERM')
      let isOver = false
      const end = app.exited.finally(() => {
        isOver = true
      })
      await until(() => {
        app.signal('SIGINT')
        return isOver
      })
      const { code, sinceSignalMs } = await end
      expect(code).toBe(130)
      expect(sinceSignalMs).toBeGreaterThan(1_000)
      // not the minute that the request would take
      expect(sinceSignalMs).toBeLessThan(HUNG_MS)
    })

    test('its own database is gone with it, and outlives the drain when Ctrl-C reaches the whole process group', async () => {
      const folder = temporaryFolder('demo')
      const app = await start({ TMPDIR: folder })
      expect((await send('/api/baldur/health/ready')).body).toContain('"database_default":"ready"')
      expect((await send('/orders')).status).toBe(200)
      const held = await sent(POST_HEAD)
      app.signal('SIGINT', 'group')
      await until(isRefusing)
      held.send(ORDER)
      expect(await held.read()).toMatchObject({ status: 201, body: '{"id":1,"item":"lamp"}' })
      expect(await app.exited).toMatchObject({ code: 0, signal: null })
      expect(app.stderr).toEqual([])
      await until(() => isEmpty(folder))
    })
  })
}
