import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePort, rawRequest, type SpawnedApp, until } from 'health-testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DemoUnderTest } from './demo-under-test.ts'

const ALONE = { DEMO_DATABASE: 'none' }
const ADMIN = /^admin on http:\/\/127\.0\.0\.1:(\d+)$/
const OPERATOR = 'the operator key'
const VIEWER = 'the viewer key'

/** Asks the admin server of a demo; a body goes as JSON. */
function adminOf(demo: SpawnedApp) {
  const port = Number(demo.lines.map((line) => ADMIN.exec(line)?.[1]).find((found) => found !== undefined))
  return (path: string, key?: string, body?: string) =>
    rawRequest({
      port,
      path,
      headers: {
        host: `localhost:${port}`,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    })
}

/** The admin server beside it. */
export function describeAdmin({ spawn, start, refusal, send, get }: DemoUnderTest, usualPort: number): void {
  describe('its admin server', () => {
    test('is there before the orders are, each says where it is, and answers for the same service', async () => {
      const demo = await start(ALONE)
      const said = demo.stdout.map((line) => line.replace(/\d+(?=\/|,|$)/, 'PORT'))
      expect(said.slice(0, 2)).toEqual([
        'admin on http://127.0.0.1:PORT',
        'listening on http://127.0.0.1:PORT',
      ])
      const ask = adminOf(demo)
      const same = [
        ['/liveness', '/api/baldur/health/live', 200],
        ['/readiness', '/api/baldur/health/ready', 200],
        ['/startup', '/api/baldur/health/startup', 200],
        ['/health/ping', '/api/baldur/health/ping', 200],
        ['/health/pool', '/api/baldur/health/pool', 503],
      ] as const
      for (const [path, ofTheApp, status] of same) {
        const { status: got, body } = await ask(path)
        expect([path, got, body]).toEqual([path, status, (await send(ofTheApp)).body])
      }
      expect(JSON.parse((await ask('/health')).body)).toMatchObject({ status: 'unhealthy', checks: {} })
      const [page, metrics, explained] = [await ask('/'), await ask('/metrics'), await ask('/explain')]
      expect([page.status, page.header('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
      expect([metrics.status, metrics.header('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/plain/),
      ])
      expect([explained.status, explained.body]).toEqual([
        200,
        expect.stringContaining('/api/baldur/health/ready'),
      ])
    })

    test(`is on ${usualPort} where BALDUR_ADMIN_PORT is a Kubernetes service link`, async () => {
      // an address of its own, where nobody else has the port
      const env = {
        ...ALONE,
        PORT: '0',
        BALDUR_ADMIN_PORT: 'tcp://10.96.0.8:9090',
        BALDUR_ADMIN_BIND: '127.0.0.77',
      }
      const { ready } = await spawn(env, /^admin on http:\/\/127\.0\.0\.77:(\d+)$/)
      expect(ready?.[1]).toBe(String(usualPort))
    })

    test('answers also while the database is down', async () => {
      const dsn = `postgres://joe:hunter2@127.0.0.1:${await freePort()}/orders`
      const ask = adminOf(await start({ BALDUR_SQL_DSN: dsn }))
      expect((await ask('/liveness')).status).toBe(200)
      const { status, body } = await ask('/readiness')
      expect([status, JSON.parse(body).checks]).toEqual([503, { database_default: 'not_ready' }])
    })

    test('asks for a key where one is set, and switches self-healing for the operator', async () => {
      const ask = adminOf(
        await start({ ...ALONE, BALDUR_ADMIN_KEY: OPERATOR, BALDUR_ADMIN_READONLY_KEY: VIEWER }),
      )
      for (const path of ['/metrics', '/explain']) {
        const statuses = [
          await ask(path),
          await ask(path, 'another key'),
          await ask(path, VIEWER),
          await ask(path, OPERATOR),
        ]
        expect([path, ...statuses.map(({ status }) => status)]).toEqual([path, 401, 401, 200, 200])
      }
      expect((await ask('/liveness')).status).toBe(200)
      const off = '{"enabled":false}'
      expect((await ask('/control', VIEWER, off)).status).toBe(403)
      expect((await get('/api/baldur/health')).body).toMatchObject({ baldur_enabled: true })
      expect((await ask('/control', OPERATOR, off)).status).toBe(200)
      expect((await get('/api/baldur/health?nocache=true')).body).toMatchObject({ baldur_enabled: false })
    })

    test('is gone soon after SIGTERM, while the orders are served for all of the delay', async () => {
      const demo = await start({ ...ALONE, BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '2' })
      const ask = adminOf(demo)
      expect((await ask('/liveness')).status).toBe(200)
      demo.signal('SIGTERM')
      const isRefusing = () =>
        ask('/liveness').then(
          () => false,
          (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
        )
      await until(isRefusing)
      // still in the delay
      expect((await send('/')).status).toBe(200)
      expect((await send('/api/baldur/health/live')).status).toBe(200)
      expect(await demo.exited).toMatchObject({ code: 0, signal: null })
      expect(demo.stderr).toEqual([])
    })

    test('costs the page, not the orders, where its port is taken', async () => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      onTestFinished(() => void holder.close())
      const { port } = holder.address() as AddressInfo
      const demo = await start({ ...ALONE, BALDUR_ADMIN_PORT: String(port) })
      expect((await send('/')).status).toBe(200)
      demo.signal('SIGTERM')
      expect(await demo.exited).toMatchObject({ code: 0 })
      expect(demo.stderr).toEqual([
        expect.stringMatching(new RegExp(`port ${port} .*taken.*; the orders are served without it$`)),
      ])
      expect(demo.stdout.join('\n')).not.toContain('admin on')
    })

    test('is not there where it is disabled, and nothing is said of it', async () => {
      const demo = await start({ ...ALONE, BALDUR_ADMIN_ENABLED: 'false' })
      expect([demo.stdout.join('\n').includes('admin'), demo.stderr]).toEqual([false, []])
      expect((await send('/')).status).toBe(200)
    })

    test('stops the start where its settings are wrong, all of them named and no key said', async () => {
      const output = await refusal({
        ...ALONE,
        BALDUR_ADMIN_BIND: '0.0.0.0',
        BALDUR_ADMIN_ALLOWED_HOSTS: 'http://admin.test',
      })
      expect(output).toContain('BALDUR_ADMIN_BIND')
      expect(output).toContain('BALDUR_ADMIN_ALLOWED_HOSTS')
      const keys = await refusal({
        ...ALONE,
        BALDUR_ADMIN_PORT: '65536',
        BALDUR_ADMIN_READONLY_KEY: 'hunter2',
      })
      expect(keys).toContain('BALDUR_ADMIN_PORT')
      expect(keys).toContain('BALDUR_ADMIN_READONLY_KEY')
      expect(keys).not.toContain('hunter2')
      const alone = await refusal({ ...ALONE, BALDUR_ADMIN_READONLY_KEY: 'hunter2hunter2' })
      expect(alone).toContain('BALDUR_ADMIN_READONLY_KEY: expected BALDUR_ADMIN_KEY beside it')
      expect(alone).not.toContain('hunter2')
    })
  })
}
