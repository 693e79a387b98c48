import { until } from 'health-testkit'
import { afterAll, describe, expect, test } from 'vitest'
import {
  EXIT_MS,
  endProcesses,
  QUICK,
  type ServiceConfig,
  startProgram,
  startService,
} from './drain-process.ts'

afterAll(endProcesses)

describe.concurrent('a signal that comes', () => {
  const start = (config: ServiceConfig) =>
    startProgram('drain-service.mjs', [JSON.stringify({ ...config, drain: { ...QUICK, ...config.drain } })])

  test('before anything listens ends the process within the delay, with 0', async () => {
    const app = await start({ start: 'before listen', hooks: [['pool', 'ok']] })
    await app.waitForLine(/^drains, listening: false/)
    const began = performance.now()
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(performance.now() - began).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    expect(app.stdout.slice(-2)).toEqual(['hook pool', 'exit 0'])
    expect(app.stderr).toEqual([])
  })

  test('between listen and listening: it still serves for its delay, and says that it leaves', async () => {
    const app = await startService({ start: 'before listening', drain: { shutdownDelayMs: 1_000 } })
    expect(app.stdout).toContain('drains, listening: false')
    const [ready, other] = [await app.get('/health/ready'), await app.get('/')]
    expect([ready.status, JSON.parse(ready.body).status]).toEqual([503, 'draining'])
    expect([other.status, other.body, other.header('connection')]).toEqual([200, 'hello', 'close'])
    await until(app.isRefusing)
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stderr).toEqual([])
  })

  test('so early that the listening comes after the delay: the listener is closed at once', async () => {
    const app = await start({ start: 'listens late' })
    await app.waitForLine(/^listening on/)
    await app.waitForLine(/^listens no more/, { timeoutMs: 200 })
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stderr).toEqual([])
  })

  test.each([
    ['during a setup that goes on', 'in setup', 'starting', 503],
    ['after a setup that failed', 'setup failed', 'failed', 503],
  ] as const)('%s: draining beats %s', async (_title, start, before, startup) => {
    const app = await startService({
      start,
      drain: { shutdownDelayMs: 1_000 },
      hooks: [['health', 'health']],
    })
    await until(async () => JSON.parse((await app.get('/health/ready')).body).status === before)
    await app.drain()
    const ready = await app.get('/health/ready')
    expect([ready.status, JSON.parse(ready.body).status]).toEqual([503, 'draining'])
    expect((await app.get('/health/startup')).status).toBe(startup)
    expect((await app.get('/health/live')).status).toBe(200)
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })
})
