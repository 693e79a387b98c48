import { until } from 'health-testkit'
import { expect, test } from 'vitest'
import { isEmpty, temporaryFolder } from '../temporary-folder.ts'
import { demoUnderTest, ORDER } from './demo-under-test.ts'

const demo = demoUnderTest('fastify-demo')

test('the demo of the README runs on its own database with no settings: ready, one order, then a drain that probes see, and exit code 0', async () => {
  const folder = temporaryFolder('demo')
  const app = await demo.start({ TMPDIR: folder })
  expect(await demo.get('/api/baldur/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks: { database_default: 'ready' } },
  })
  expect(await demo.get('/api/baldur/health/pool')).toMatchObject({
    status: 200,
    body: {
      status: 'healthy',
      pool_info: { vendor: 'postgresql', total: expect.any(Number), idle: expect.any(Number), max: 10 },
    },
  })
  expect(await demo.get('/orders', { method: 'POST', body: ORDER })).toEqual({
    status: 201,
    body: { id: 1, item: 'lamp' },
  })
  expect(await demo.get('/orders')).toEqual({ status: 200, body: [{ id: 1, item: 'lamp' }] })

  app.signal('SIGTERM')
  await demo.draining()
  expect(await demo.get('/api/baldur/health/ready')).toMatchObject({
    status: 503,
    body: { status: 'draining' },
  })
  expect(await app.exited).toMatchObject({ code: 0, signal: null })
  expect(app.stderr).toEqual([])
  await until(() => isEmpty(folder))
})
