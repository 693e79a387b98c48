import { type PrivatePostgres, startPostgres, until } from 'health-testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DELAY_MS, type DemoUnderTest, EXIT_MS } from './demo-under-test.ts'

const DRAINING = { status: 503, body: { status: 'draining', retry_after_seconds: 1, in_flight: 0 } }

/** What an answer without a budget would wait for. */
const RUN_MS = 2_000

/** What it makes of its database: up, down and stalled. */
export function describeDatabase({ start, get, draining }: DemoUnderTest): void {
  describe('while its database', () => {
    let postgres: PrivatePostgres
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterEach(() => postgres.resume())
    afterAll(() => postgres?.stop())

    test('is up it serves orders and truthful probes, to the first requests too, which come together, and drains on SIGTERM whatever a cache holds', async () => {
      const demo = await start({ BALDUR_SQL_DSN: postgres.url })
      expect(await get('/api/baldur/health/ready')).toEqual({
        status: 200,
        body: { status: 'ready', checks: { database_default: 'ready' } },
      })
      expect((await get('/api/baldur/health')).body).toMatchObject({
        status: 'healthy',
        checks: { database: 'healthy' },
      })
      expect((await get('/api/baldur/health/pool')).body).toMatchObject({
        pool_info: { vendor: 'postgresql', max: 10 },
      })
      expect(await get('/')).toEqual({
        status: 200,
        body: { service: 'orders', health: '/api/baldur/health' },
      })
      const first = await Promise.all(Array.from({ length: 8 }, () => get('/orders')))
      expect(first).toEqual(first.map(() => ({ status: 200, body: [] })))
      expect(await get('/orders', { method: 'POST', body: '{"item":"lamp"}' })).toEqual({
        status: 201,
        body: { id: 1, item: 'lamp' },
      })
      expect(await get('/orders')).toEqual({ status: 200, body: [{ id: 1, item: 'lamp' }] })
      // the last answer is not a second old, and good for five
      expect((await get('/api/baldur/health/ready')).status).toBe(200)
      demo.signal('SIGTERM')
      await draining()
      expect(await get('/api/baldur/health/ready')).toEqual(DRAINING)
      expect(await demo.exited).toMatchObject({ code: 0, signal: null })
    })

    test('is down it starts, answers its probes, and is ready by itself once the database is there', async () => {
      await postgres.crash()
      await start({ BALDUR_SQL_DSN: postgres.url, BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS: '1' })
      const slow = get('/slow')
      expect((await get('/api/baldur/health/live')).status).toBe(200)
      expect((await get('/api/baldur/health/startup')).status).toBe(200)
      expect((await get('/api/baldur/health/ready')).status).toBe(503)
      const refused = { status: 503, body: { error: 'the orders are not available' } }
      expect(await get('/orders')).toEqual(refused)
      expect(await get('/orders', { method: 'POST', body: '{"item":"lamp"}' })).toEqual(refused)
      expect(await slow).toEqual({ status: 200, body: { waited_ms: 1_000 } })
      await postgres.restart()
      await until(async () => (await get('/api/baldur/health/ready')).status === 200, { timeoutMs: 7_000 })
      expect((await get('/orders')).status).toBe(200)
    })

    test('is stalled it answers within the budget, serves what needs no database, and still exits with 0', async () => {
      const demo = await start({
        BALDUR_SQL_DSN: postgres.url,
        BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS: '0',
      })
      expect((await get('/orders')).status).toBe(200)
      expect((await get('/api/baldur/health/ready')).status).toBe(200)
      await postgres.pause()
      const began = performance.now()
      expect((await get('/api/baldur/health/ready')).body).toEqual({
        status: 'not_ready',
        checks: { database_default: 'timed_out' },
      })
      // a run has two seconds, its budget half a second
      expect(performance.now() - began).toBeLessThan(RUN_MS)
      expect((await get('/')).status).toBe(200)
      // a look at the database is under way when the drain begins
      const looking = get('/api/baldur/health/ready')
      demo.signal('SIGTERM')
      await draining()
      expect(await get('/api/baldur/health/ready')).toEqual(DRAINING)
      expect((await looking).status).toBe(503)
      const { code, sinceSignalMs } = await demo.exited
      expect(code).toBe(0)
      // the pool's connection to a stalled database has to be given up too
      expect(sinceSignalMs).toBeLessThan(DELAY_MS + EXIT_MS)
    })

    test('is stalled, the fail direction from the environment keeps an instance that was ready in rotation', async () => {
      await start({
        BALDUR_SQL_DSN: postgres.url,
        BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS: '0',
        BALDUR_HEALTH_CHECK_READINESS_TIMEOUT_FAIL_DIRECTION: 'ready',
      })
      expect((await get('/api/baldur/health/ready')).status).toBe(200)
      await postgres.pause()
      expect(await get('/api/baldur/health/ready')).toEqual({
        status: 200,
        body: { status: 'ready', checks: { database_default: 'timed_out' } },
      })
    })
  })
}
