import { rawRequest, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { HEALTHY, processService } from './process-service.ts'

const service = processService()
const { start, get, verdict } = service

test('a heap that fills towards its limit reads degraded, HTTP 200, and healthy when it is let go', async () => {
  await start('--max-old-space-size=128')
  expect(await verdict()).toEqual(HEALTHY)
  await until(
    async () => {
      // results are a second old at most: as much as fits between two, and not beyond the limit
      for (let i = 0; i < 3; i++) await get('/fill')
      return (await verdict())[3] === 'unhealthy'
    },
    { timeoutMs: 40_000, everyMs: 1_050 },
  )
  expect((await verdict()).slice(0, 2)).toEqual([200, 'degraded'])
  expect((await rawRequest({ port: service.port, path: '/health/ready' })).status).toBe(200)
  await get('/empty')
  await until(async () => (await verdict())[1] === 'healthy', { timeoutMs: 3_000 })
})
