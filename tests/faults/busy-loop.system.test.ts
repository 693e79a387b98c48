import { fileURLToPath } from 'node:url'
import { rawConnection, rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('busy-service.mjs', import.meta.url))
const OTHERS = ['/health/ready', '/health/startup', '/health/ping', '/health']
const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
/** The kubelet's default timeout. */
const KUBELET_MS = 1_000

let app: SpawnedApp | undefined
afterEach(() => app?.stop())

describe('while the event loop is blocked for 300 ms over and over and the app sheds load', () => {
  test.each(
    ['node', 'express', 'fastify', 'koa'].flatMap((framework) => [
      [framework, 'adapter'],
      [framework, 'attachHealth'],
    ]),
  )(
    'liveness of %s is answered 200 in the kubelet’s time, and no probe is shed, mounted by %s',
    async (framework, how) => {
      app = await spawnApp({ args: [PROGRAM, framework, how], readyPattern: /^listening on (\d+)$/ })
      const port = Number(app.ready?.[1])
      await until(async () => (await rawRequest({ port })).status === 503, { timeoutMs: 10_000 })

      // one new connection at a time, as a kubelet makes them: in each turn of the loop Node accepts one
      const times: number[] = []
      for (let i = 0; i < 2; i++) {
        const connection = await rawConnection({ port })
        connection.send(request('/health/live'))
        const { status, ms } = await connection.read()
        expect(status).toBe(200)
        times.push(ms)
        connection.send(OTHERS.map(request).join(''))
        for (const path of OTHERS) {
          const other = await connection.read()
          expect([path, other.status]).toEqual([path, 200])
        }
        connection.close()
      }
      expect(Math.max(...times)).toBeLessThan(KUBELET_MS)
      expect(Math.max(...times), 'the loop was blocked').toBeGreaterThan(100)
      expect((await rawRequest({ port })).status, 'the app sheds load').toBe(503)
    },
  )
})
