import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawConnection, rawConnection, until } from 'health-testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DemoUnderTest } from './demo-under-test.ts'

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

const ORDER = '{"item":"lamp"}'
/** A request that is in flight for as long as its body does not come. */
const POST_HEAD = `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${ORDER.length}\r\n\r\n`

/** How it ends. */
export function describeSignals(demo: DemoUnderTest): void {
  const { start, send } = demo

  /** A connection on which this has been sent, and read by the demo: it serves a later one. */
  async function sent(text: string): Promise<RawConnection> {
    const connection = await rawConnection({ port: demo.port })
    connection.send(text)
    await send('/')
    return connection
  }

  const isRefusing = (): Promise<boolean> =>
    rawConnection({ port: demo.port }).then(
      (connection) => {
        connection.close()
        return false
      },
      () => true,
    )

  describe('on a signal', () => {
    test('a request in flight on a kept-alive connection ends, its connection is closed, and the exit follows', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const connection = await sent(get('/slow?ms=300'))
      app.signal('SIGTERM')
      const answer = await connection.read()
      expect([answer.status, answer.body, answer.header('connection')]).toEqual([
        200,
        '{"waited_ms":300}',
        'close',
      ])
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(0)
      expect(sinceSignalMs).toBeLessThan(2_000)
    })

    test('connections that never sent a request, and half of one, do not hold up the exit; a repeated signal changes nothing', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const idle = [await sent(''), await sent(POST_HEAD.slice(0, 40))]
      const slow = await sent(get('/slow?ms=300'))
      app.signal('SIGTERM')
      app.signal('SIGTERM')
      app.signal('SIGINT')
      expect(await slow.read()).toMatchObject({ status: 200, body: '{"waited_ms":300}' })
      const { code, sinceSignalMs } = await app.exited
      expect(code).toBe(0)
      expect(sinceSignalMs).toBeLessThan(2_000)
      for (const connection of idle) connection.close()
    })

    test('no more connections are accepted; what was on its way is served, and readiness says draining', async () => {
      const app = await start({ DEMO_DATABASE: 'none' })
      const late: RawConnection[] = []
      for (const path of ['/api/baldur/health/ready', '/api/baldur/health/live', '/']) {
        late.push(await sent(get(path).slice(0, -2)))
      }
      const held = await sent(POST_HEAD)
      app.signal('SIGTERM')
      await until(isRefusing)
      for (const connection of late) connection.send('\r\n')
      const answers = await Promise.all(late.map((connection) => connection.read()))
      expect(answers.map(({ status }) => status)).toEqual([503, 200, 200])
      expect(answers.map((answer) => answer.header('connection'))).toEqual(['close', 'close', 'close'])
      expect(answers[0]?.body).toContain('draining')
      held.send(ORDER)
      expect((await held.read()).status).toBe(201)
      expect(await app.exited).toMatchObject({ code: 0 })
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
      expect(sinceSignalMs).toBeLessThan(2_000)
      expect(app.stderr).toEqual([])
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
    })

    test('its own database is gone with it, and outlives the drain when Ctrl-C reaches the whole process group', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'demo-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      // where the tests run as root, the database runs as another user
      await chmod(folder, 0o711)
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
      await until(async () => (await readdir(folder)).length === 0)
    })
  })
}
