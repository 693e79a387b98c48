import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('watchdog-service.mjs', import.meta.url))

let app: SpawnedApp | undefined
let port: number
afterEach(() => app?.stop())

async function start(blockedMs = 0): Promise<void> {
  app = await spawnApp({ args: [PROGRAM, String(blockedMs)], readyPattern: /^listening on (\d+)$/ })
  port = Number(app.ready?.[1])
}

interface Told {
  readonly http: number
  readonly status: string
  readonly watchdog_status?: string
  readonly watchdog_components?: Readonly<Record<string, string>>
  readonly watchdog_last_check?: string
}
async function health(): Promise<Told> {
  const { status, body } = await rawRequest({ port, path: '/health' })
  return { ...JSON.parse(body), http: status }
}
/** What is told after a look that began after this. */
async function afterNextLook(): Promise<Told> {
  const { watchdog_last_check: before } = await health()
  let told = await health()
  await until(async () => {
    told = await health()
    return told.watchdog_last_check !== before
  })
  return told
}
const FINE = { event_loop: 'healthy', memory: 'healthy', cache: 'healthy', checks: 'healthy' }

test('an event loop that was blocked for 2 s: degraded at the next look, HTTP 200, and back at the one after', async () => {
  await start()
  expect(await afterNextLook()).toMatchObject({ http: 200, status: 'healthy', watchdog_components: FINE })
  await rawRequest({ port, path: '/block?ms=2000' })
  const seen: Told[] = []
  await until(async () => {
    const told = await health()
    seen.push(told)
    return told.status === 'degraded'
  })
  expect(seen.at(-1)).toMatchObject({
    http: 200,
    status: 'degraded',
    watchdog_status: 'degraded',
    watchdog_components: { ...FINE, event_loop: 'degraded' },
  })
  expect((await rawRequest({ port, path: '/health/ready' })).status).toBe(200)
  expect(await afterNextLook()).toMatchObject({ http: 200, status: 'healthy', watchdog_components: FINE })
})

test('a fresh start is not degraded, though it held the loop up for 1.5 s after the health was made', async () => {
  await start(1_500)
  const statuses = new Set<unknown>()
  for (let look = 0; look < 3; look++) {
    const { watchdog_status: status, watchdog_components: components } = await afterNextLook()
    statuses.add(JSON.stringify([status, components]))
  }
  expect([...statuses]).toEqual([JSON.stringify(['healthy', FINE])])
})
