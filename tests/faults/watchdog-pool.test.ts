import { type PrivatePostgres, startPostgres, until } from 'health-testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from './service.ts'

let postgres: PrivatePostgres
let service: Service | undefined

beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(async () => {
  await service?.close()
  service = undefined
})
afterAll(() => postgres.stop())

const QUICK = { watchdog: { intervalMs: 1_000 } }

test('an exhausted pool: pool_default degraded, database healthy, HTTP 200, and well again once it has room', async () => {
  service = await startService(postgres.url, { health: QUICK })
  const { pool, get } = service
  const components = async (): Promise<unknown> => {
    const { body } = await get('/health')
    return (body as { watchdog_components?: unknown }).watchdog_components
  }
  await until(async () => (await components()) !== undefined)
  expect(await components()).toMatchObject({ pool_default: 'healthy' })

  const held = [await pool.connect(), await pool.connect()]
  const waiting = pool.connect()
  await until(async () => (await get('/health')).body.status === 'degraded')
  const { status, body } = await get('/health')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'degraded',
    checks: { database: 'healthy' },
    watchdog_status: 'degraded',
    watchdog_components: { pool_default: 'degraded', event_loop: 'healthy', checks: 'healthy' },
  })
  expect((await get('/health/ready')).status).toBe(200)
  expect((await get('/health/pool')).body.pool_info).toMatchObject({ idle: 0, waiting: 1, status: 'healthy' })

  for (const client of held) client.release()
  const third = await waiting
  third.release()
  await until(async () => (await get('/health')).body.status === 'healthy')
  expect(await components()).toMatchObject({ pool_default: 'healthy' })
})

test('a pool that is busy to the last connection, with nobody waiting, is no cause', async () => {
  service = await startService(postgres.url, { health: QUICK })
  const { pool, get } = service
  const held = [await pool.connect(), await pool.connect()]
  const looks = new Set<string>()
  await until(async () => {
    const { body } = await get('/health')
    looks.add(String((body as { watchdog_last_check?: string }).watchdog_last_check))
    expect(body.status).toBe('healthy')
    return looks.size >= 4
  })
  for (const client of held) client.release()
})
