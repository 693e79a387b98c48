import { freePort, startPostgres, until } from 'health-testkit'
import { expect, onTestFinished, test } from 'vitest'
import { healthcheck } from '../faults/healthcheck-program.ts'
import { demoUnderTest } from './demo-under-test.ts'

const demo = demoUnderTest('fastify-demo')

test('the HEALTHCHECK program tells a demo that lives from one that is ready: its database stops, it drains, it is gone', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const adminPort = String(await freePort())
  const app = await demo.start({
    BALDUR_SQL_DSN: postgres.url,
    BALDUR_ADMIN_PORT: adminPort,
    BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS: '0',
    BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '3',
  })
  const at = { BALDUR_ADMIN_PORT: adminPort }
  const admin = async (...args: string[]) => (await healthcheck(args, at)).code
  const url = `http://localhost:${demo.port}/api/baldur/health`
  const service = async (path: string) => (await healthcheck([`${url}/${path}`])).code

  expect([await admin(), await admin('--path', '/readiness')]).toEqual([0, 0])
  expect([await service('live'), await service('ready')]).toEqual([0, 0])
  await postgres.pause()
  expect([await admin(), await admin('--path', '/readiness')]).toEqual([0, 1])
  expect([await service('live'), await service('ready')]).toEqual([0, 1])
  await postgres.resume()
  await until(async () => (await service('ready')) === 0, { timeoutMs: 10_000 })

  app.signal('SIGTERM')
  await demo.draining()
  expect([await service('live'), await service('ready')]).toEqual([0, 1])
  // the admin server is gone with the beginning of the drain
  expect(await admin()).toBe(1)
  expect(await app.exited).toMatchObject({ code: 0 })
  expect(await service('live')).toBe(1)
})
