import { type PrivatePostgres, type PrivateServer, startPostgres, startRedis, until } from 'health-testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoUnderTest } from './demo-under-test.ts'

const ALL_WELL = { status: 'healthy', checks: { database: 'healthy' }, baldur_enabled: true }

/** What its processes share over Redis, and what it says of itself. */
export function describeSharing({ start, get }: DemoUnderTest): void {
  describe('with a Redis', { tags: ['redis-server'] }, () => {
    let postgres: PrivatePostgres
    let redis: PrivateServer
    beforeAll(async () => {
      ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    })
    afterAll(() => Promise.all([postgres?.stop(), redis?.stop()]))

    const env = () => ({ BALDUR_SQL_DSN: postgres.url, BALDUR_REDIS_URL: redis.url })
    const health = async () => {
      const { status, body } = await get('/api/baldur/health')
      return { code: status, ...(body as { _cache: { hit: string }; watchdog_components?: unknown }) }
    }

    test('what one process has seen is the answer of the next, and nothing is where another service would look', async () => {
      const first = await start(env())
      expect(await health()).toMatchObject({ ...ALL_WELL, status: 'healthy', _cache: { hit: 'L3' } })
      first.signal('SIGTERM')
      expect(await first.exited).toMatchObject({ code: 0 })
      const second = await start(env())
      expect(await health()).toMatchObject({ ...ALL_WELL, _cache: { hit: 'L2' } })
      await second.stop({ graceMs: 0 })
      await start({ ...env(), BALDUR_NAMESPACE: 'another' })
      expect(await health()).toMatchObject({ ...ALL_WELL, _cache: { hit: 'L3' } })
    })

    test('that goes away it still tells the truth of its database, and that its cache is ill', async () => {
      await start({ ...env(), BALDUR_META_WATCHDOG_PROBE_INTERVAL_SECONDS: '1' })
      await until(async () => (await health()).watchdog_components !== undefined)
      expect((await health()).watchdog_components).toMatchObject({
        cache: 'healthy',
        pool_default: 'healthy',
      })
      await redis.crash()
      const { status, body } = await get('/api/baldur/health?nocache=true')
      expect([status, (body as { checks: unknown }).checks]).toEqual([200, { database: 'healthy' }])
      const ill = async () => JSON.stringify(await health()).includes('"cache":"degraded"')
      await until(ill, { timeoutMs: 8_000 })
      expect(await health()).toMatchObject({
        code: 200,
        status: 'degraded',
        checks: { database: 'healthy' },
      })
      expect((await get('/api/baldur/health/ready')).status).toBe(200)
      await redis.restart()
    })
  })
}
