import { fileURLToPath } from 'node:url'
import {
  freePort,
  type PrivatePostgres,
  rawConnection,
  rawRequest,
  type SpawnedApp,
  spawnApp,
  startPostgres,
  until,
} from 'health-testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const SERVER = fileURLToPath(new URL('../../apps/fastify-demo/dist/server.js', import.meta.url))

let postgres: PrivatePostgres
let app: SpawnedApp | undefined
let port = 0

beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(async () => {
  await postgres.resume()
  await app?.stop()
  app = undefined
})
afterAll(() => postgres?.stop())

async function start(env: Record<string, string>): Promise<SpawnedApp> {
  app = await spawnApp({
    args: [SERVER],
    env: { PORT: '0', ...env },
    readyPattern: /^listening on http:\/\/127\.0\.0\.1:(\d+)$/,
    timeoutMs: 20_000,
  })
  port = Number(app.ready?.[1])
  return app
}

async function get(
  path: string,
  more: { method?: string; body?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const headers = more.body === undefined ? {} : { 'content-type': 'application/json' }
  const { status, body } = await rawRequest({ port, path, headers, ...more, timeoutMs: 10_000 })
  return { status, body: body === '' ? '' : JSON.parse(body) }
}

describe('on a database of its own', () => {
  test('serves orders and truthful probes, and leaves nothing behind on SIGTERM', async () => {
    const demo = await start({})
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
    expect((await get('/')).status).toBe(200)
    expect(await get('/orders', { method: 'POST', body: '{"item":"lamp"}' })).toEqual({
      status: 201,
      body: { id: 1, item: 'lamp' },
    })
    expect((await get('/orders')).body).toEqual([{ id: 1, item: 'lamp' }])
    for (const body of ['{}', '{"item":7}', '{"item":""}', 'no json']) {
      const refused = await get('/orders', { method: 'POST', body })
      expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/item|JSON/i) } })
    }
    expect((await get('/status/418')).status).toBe(418)
    expect((await get('/slow?ms=10')).body).toEqual({ waited_ms: 10 })
    expect((await get('/slow?ms=60001')).status).toBe(400)
    demo.signal('SIGTERM')
    expect(await demo.exited).toMatchObject({ code: 0, signal: null })
  })

  test('a request in flight on a kept-alive connection ends, its connection is closed, and the exit follows', async () => {
    const demo = await start({ DEMO_DATABASE: 'none' })
    const connection = await rawConnection({ port })
    connection.send('GET /slow?ms=500 HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(async () => (await get('/')).status === 200)
    demo.signal('SIGTERM')
    const answer = await connection.read()
    expect([answer.status, answer.body, answer.header('connection')]).toEqual([
      200,
      '{"waited_ms":500}',
      'close',
    ])
    const { code, sinceSignalMs } = await demo.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(2_000)
  })

  test('connections that never sent a request, and half of one, do not hold up the exit; a repeated signal changes nothing', async () => {
    const demo = await start({ DEMO_DATABASE: 'none' })
    const [silent, half] = [await rawConnection({ port }), await rawConnection({ port })]
    half.send('POST /orders HTTP/1.1\r\nHost: x\r\nContent-Le')
    const slow = get('/slow?ms=500')
    await until(async () => (await get('/')).status === 200)
    demo.signal('SIGTERM')
    demo.signal('SIGTERM')
    demo.signal('SIGINT')
    expect(await slow).toEqual({ status: 200, body: { waited_ms: 500 } })
    const { code, sinceSignalMs } = await demo.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(2_000)
    for (const connection of [silent, half]) connection.close()
  })

  test('Ctrl-C, which reaches the whole process group, ends it cleanly', async () => {
    const demo = await start({})
    const slow = get('/slow?ms=700')
    await until(async () => (await get('/orders')).status === 200)
    demo.signal('SIGINT', 'group')
    expect(await slow).toEqual({ status: 200, body: { waited_ms: 700 } })
    expect(await demo.exited).toMatchObject({ code: 0, signal: null })
  })
})

describe('while its database', () => {
  test('is down it starts, answers its probes, and is ready by itself once the database is there', async () => {
    await postgres.crash()
    await start({ BALDUR_SQL_DSN: postgres.url })
    expect((await get('/api/baldur/health/live')).status).toBe(200)
    expect((await get('/api/baldur/health/startup')).status).toBe(200)
    expect((await get('/api/baldur/health/ready')).status).toBe(503)
    expect((await get('/orders')).status).toBe(503)
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
    expect(performance.now() - began).toBeLessThan(700)
    expect((await get('/')).status).toBe(200)
    demo.signal('SIGTERM')
    const { code, sinceSignalMs } = await demo.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(6_000)
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

test('DEMO_DATABASE=none: the three endpoints disagree on purpose, and orders live in memory', async () => {
  await start({ DEMO_DATABASE: 'none' })
  expect(await get('/api/baldur/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks: {} },
  })
  expect(await get('/api/baldur/health')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
  expect(await get('/api/baldur/health/pool')).toMatchObject({ status: 503, body: { status: 'degraded' } })
  expect((await get('/orders', { method: 'POST', body: '{"item":"lamp"}' })).status).toBe(201)
})

test('a mysql:// DSN, for which there is no check yet, is a settings error', async () => {
  const failing = await spawnApp({
    args: [SERVER],
    env: { PORT: '0', BALDUR_SQL_DSN: 'mysql://joe:hunter2@127.0.0.1/x' },
  })
  expect(await failing.exited).toMatchObject({ code: 1 })
  expect(failing.lines.join()).toMatch(
    /BALDUR_SQL_DSN: expected a URL that begins with postgres:.*got a mysql:\/\/ URL, for which there is no check yet/,
  )
  expect(failing.lines.join()).not.toMatch(/hunter2|listening/)
})

test('bad settings: exit code 1 before listening, every problem listed, no secret printed', async () => {
  const taken = await freePort()
  const failing = await spawnApp({
    args: [SERVER],
    env: {
      PORT: String(taken),
      BALDUR_SQL_DSN: 'oracle://scott:tiger-secret@db/x',
      BALDUR_ADMIN_KEY: 'short7!',
      BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS: 'half',
      BALDUR_META_WATCHDOG_ENABLED: 'yes',
      BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '0',
    },
  })
  expect(await failing.exited).toMatchObject({ code: 1 })
  const output = failing.lines.join('\n')
  for (const name of [
    'BALDUR_SQL_DSN',
    'BALDUR_ADMIN_KEY',
    'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS',
    'BALDUR_META_WATCHDOG_ENABLED',
    'BALDUR_DRAIN_GRACE_PERIOD_SECONDS',
  ]) {
    expect(output).toContain(name)
  }
  expect(output).not.toMatch(/tiger-secret|scott|short7!/)
  expect(output).not.toContain('listening')
})
