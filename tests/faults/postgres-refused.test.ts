import { type FaultProxy, faultProxy, type PrivatePostgres, startPostgres, until } from 'health-testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService, TOLERANCE_MS } from './service.ts'

let postgres: PrivatePostgres
let service: Service | undefined
let proxy: FaultProxy | undefined

beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(async () => {
  await service?.close()
  await proxy?.close()
  service = undefined
  proxy = undefined
})
afterAll(() => postgres?.stop())

const secrets = (port: number): RegExp => new RegExp(`127\\.0\\.0\\.1|${port}|postgres:|joe|hunter2`)

describe('a database that refuses connections', () => {
  test('readiness is 503 not_ready at once, pool and health name no host, user or port, liveness and ping stay 200', async () => {
    const url = postgres.url.replace('postgres@', 'joe:hunter2@')
    service = await startService(url)
    await postgres.crash()
    const ready = await service.get('/health/ready')
    expect(ready).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { database_default: 'not_ready' } },
    })
    expect(ready.ms).toBeLessThan(TOLERANCE_MS)
    const pool = await service.get('/health/pool')
    expect(pool).toMatchObject({
      status: 503,
      body: { status: 'error', error: 'ECONNREFUSED: connection refused' },
    })
    const health = await service.get('/health')
    expect(health).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', checks: { database: 'unhealthy' } },
    })
    for (const { text } of [ready, pool, health]) expect(text).not.toMatch(secrets(postgres.port))
    for (const path of ['/health/live', '/health/ping']) expect((await service.get(path)).status).toBe(200)
    await postgres.restart()
  })

  test('it is ready again within the cache window and 2 s of the return, without a restart of the service', async () => {
    service = await startService(postgres.url)
    const { get } = service
    expect((await get('/health/ready')).status).toBe(200)
    await postgres.crash()
    await until(async () => (await get('/health/ready')).status === 503, { timeoutMs: 5_000 + TOLERANCE_MS })
    await postgres.restart()
    const returned = performance.now()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000 })
    expect(performance.now() - returned).toBeLessThan(7_000)
  })
})

describe('a warm connection that breaks', () => {
  test('closed while idle, is made again in the same run, so that one stale socket is no outage', async () => {
    proxy = await faultProxy(postgres.port)
    service = await startService(postgres.url.replace(String(postgres.port), String(proxy.port)), {
      health: { readiness: { cacheTtlMs: 0 } },
    })
    expect((await service.get('/health/ready')).status).toBe(200)
    proxy.reset()
    proxy.pass()
    expect((await service.get('/health/ready')).status).toBe(200)
    expect(proxy.opened).toBe(2)
  })

  test('cut in the middle of an answer while the server is gone, reads not_ready with a code', async () => {
    proxy = await faultProxy(postgres.port)
    proxy.cutAfter(20)
    service = await startService(postgres.url.replace(String(postgres.port), String(proxy.port)))
    expect((await service.get('/health/ready')).body.checks).toEqual({ database_default: 'not_ready' })
    expect((await service.get('/health/pool')).body.error).toBe('ECONNRESET: connection reset')
  })

  test('the server restarting between two polls costs no error', async () => {
    service = await startService(postgres.url, { health: { readiness: { cacheTtlMs: 0 } } })
    expect((await service.get('/health/ready')).status).toBe(200)
    await postgres.crash()
    await postgres.restart()
    expect((await service.get('/health/ready')).status).toBe(200)
  })
})

test('a wrong database name and a full server read as their codes', async () => {
  service = await startService(`${postgres.url}_that_is_not_there`)
  expect((await service.get('/health/pool')).body.error).toBe('3D000: database does not exist')
})
