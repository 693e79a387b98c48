import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('process-service.mjs', import.meta.url))

let app: SpawnedApp | undefined
let port: number
afterEach(() => app?.stop())

async function start(...options: readonly string[]): Promise<void> {
  app = await spawnApp({
    args: ['--expose-gc', ...options, PROGRAM, '1000'],
    readyPattern: /^listening on (\d+)$/,
  })
  port = Number(app.ready?.[1])
}
const get = async (path: string): Promise<string> => (await rawRequest({ port, path })).body
/** The HTTP status and the verdict's own words, computed anew. */
async function verdict(): Promise<readonly unknown[]> {
  const { status, body } = await rawRequest({ port, path: '/health' })
  const { status: word, checks } = JSON.parse(body)
  return [status, word, checks.event_loop, checks.memory]
}
const HEALTHY = [200, 'healthy', 'healthy', 'healthy']

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
  expect((await rawRequest({ port, path: '/health/ready' })).status).toBe(200)
  await get('/empty')
  await until(async () => (await verdict())[1] === 'healthy', { timeoutMs: 3_000 })
})
