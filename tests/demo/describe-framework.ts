import { freePort, rawConnection, rawRequest, until } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { isEmpty, temporaryFolder } from '../temporary-folder.ts'
import { DELAY_MS, demoUnderTest, get, ORDER, POST_HEAD } from './demo-under-test.ts'
import { describeAnswers } from './describe-answers.ts'

const READY = '/api/baldur/health/ready'

/** What a demo's own code can get wrong: its framework's answers, and the order in which it starts and ends. The rest is that of all demos, and tested on Fastify's. */
export function describeFramework(
  name: string,
  { usualPort, usualAdminPort }: { readonly usualPort: number; readonly usualAdminPort: number },
): void {
  describe(name, () => {
    const demo = demoUnderTest(name)
    const { start, spawn, send, sent, isRefusing, draining } = demo
    describeAnswers(name)

    test('on its own database keeps orders and says so, serves what is in flight in its drain, ends with 0 and leaves nothing', async () => {
      const folder = temporaryFolder('demo')
      const app = await start({ TMPDIR: folder })
      expect(app.stdout.map((line) => line.replace(/\d+(?=\/|,|$)/, 'PORT')).slice(0, 3)).toEqual([
        'starting an embedded PostgreSQL',
        'admin on http://127.0.0.1:PORT',
        'listening on http://127.0.0.1:PORT',
      ])
      expect(await demo.get(READY)).toEqual({
        status: 200,
        body: { status: 'ready', checks: { database_default: 'ready' } },
      })
      expect(await demo.get('/')).toEqual({
        status: 200,
        body: { service: 'orders', health: '/api/baldur/health' },
      })
      expect(await demo.get('/orders')).toEqual({ status: 200, body: [] })
      const [slow, held] = [await sent(get('/slow?ms=200')), await sent(POST_HEAD)]
      app.signal('SIGTERM')
      await draining()
      expect(await demo.get(READY)).toMatchObject({ status: 503, body: { status: 'draining' } })
      expect(await slow.read()).toMatchObject({ status: 200, body: '{"waited_ms":200}' })
      await until(isRefusing)
      // the order is kept: the database outlives the requests
      held.send(ORDER)
      expect(await held.read()).toMatchObject({ status: 201, body: '{"id":1,"item":"lamp"}' })
      expect(await app.exited).toMatchObject({ code: 0, signal: null })
      expect((await app.exited).sinceSignalMs).toBeGreaterThan(DELAY_MS)
      expect(app.stderr).toEqual([])
      await until(() => isEmpty(folder))
    })

    test('that cannot reach its database answers an order with a 503 that tells nothing of it', async () => {
      const dsn = `postgres://joe:hunter2@127.0.0.1:${await freePort()}/orders`
      await start({ BALDUR_SQL_DSN: dsn })
      const refused = { status: 503, body: { error: 'the orders are not available' } }
      expect(await demo.get('/orders')).toEqual(refused)
      expect(await demo.get('/orders', { method: 'POST', body: ORDER })).toEqual(refused)
      expect((await send('/api/baldur/health/live')).status).toBe(200)
      expect(await demo.get(READY)).toMatchObject({
        status: 503,
        body: { checks: { database_default: 'not_ready' } },
      })
    })

    test('is where its README says when no port is set, speaks of no client that hung up, and ends on Ctrl-C with 0', async () => {
      // an address of its own; were a port taken there, the error would name it too
      const env = {
        HOST: '127.0.0.77',
        DEMO_DATABASE: 'none',
        BALDUR_ADMIN_PORT: '',
        BALDUR_ADMIN_BIND: '127.0.0.77',
      }
      const app = await spawn(env, /^listening on http:\/\/127\.0\.0\.77:(\d+)$/)
      expect(app.ready?.[1]).toBe(String(usualPort))
      expect(app.stdout).toContain(`admin on http://127.0.0.77:${usualAdminPort}`)
      const client = await rawConnection({ host: '127.0.0.77', port: usualPort })
      client.send(`${POST_HEAD}{`)
      await rawRequest({ host: '127.0.0.77', port: usualPort, path: '/' })
      client.reset()
      app.signal('SIGINT')
      expect(await app.exited).toMatchObject({ code: 0, signal: null })
      expect(app.stderr).toEqual([])
    })
  })
}
