import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { httpCheck } from '@baldur/health-core/http'
import { attachHealth } from '@baldur/health-core/node'
import { freePort, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'

interface Peer {
  readonly health: Health
  /** Probes that a peer made. */
  readonly asked: number
  ready(): Promise<number>
  close(): Promise<void>
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const quiet = () => undefined
const LOGGER = { debug: quiet, info: quiet, warn: quiet, error: quiet }

/** A service on a port whose critical checks ask others on theirs. */
async function peer(
  port: number,
  others: readonly (readonly [port: number, path: string])[],
  options: HealthOptions = {},
): Promise<Peer> {
  const health = createHealth({
    env: {},
    logger: LOGGER,
    databases: { default: { name: 'db', run: () => true } },
    checks: others.map(([other, path]) =>
      httpCheck(`http://127.0.0.1:${other}${path}`, { name: `peer-${other}` }),
    ),
    ...options,
  })
  let asked = 0
  const counting: Health = {
    ...health,
    answer: (request) => {
      if (request.message?.headers?.['x-baldur-health-check'] !== undefined) asked += 1
      return health.answer(request)
    },
  }
  const server = createServer((_request, response) => response.end('app'))
  attachHealth(server, counting)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    await health.close()
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  closers.push(close)
  return {
    health,
    get asked() {
      return asked
    },
    ready: async () => (await rawRequest({ port: own, path: '/health/ready' })).status,
    close,
  }
}

describe.each(['/health/ready', '/health'])('services that ask each other for %s', (path) => {
  test('come up together, and answer hundreds of polls with one question per TTL', async () => {
    const [one, other] = [await freePort(), await freePort()]
    const ttl = { readiness: { cacheTtlMs: 1_000 } }
    const a = await peer(one, [[other, path]], ttl)
    const b = await peer(other, [[one, path]], ttl)
    const began = performance.now()
    const statuses = new Set<number>()
    let polls = 0
    const tookMs = () => performance.now() - began
    while (polls < 200 || tookMs() < 2_500) {
      for (const status of await Promise.all([a.ready(), b.ready()])) statuses.add(status)
      polls += 2
    }
    expect([...statuses]).toEqual([200])
    const ttls = Math.ceil(tookMs() / 1_000)
    for (const { asked } of [a, b]) {
      expect(asked).toBeGreaterThan(0)
      expect(asked).toBeLessThanOrEqual(ttls + 1)
    }
  })

  test('three in a ring, of which one starts late, come up by themselves', async () => {
    const ports = [await freePort(), await freePort(), await freePort()] as const
    const ttl = { readiness: { cacheTtlMs: 200 } }
    const first = await peer(ports[0], [[ports[1], path]], ttl)
    const second = await peer(ports[1], [[ports[2], path]], ttl)
    expect(await second.ready()).toBe(503)
    // what its peer lacks is not its own want
    expect(await first.ready()).toBe(200)
    const third = await peer(ports[2], [[ports[0], path]], ttl)
    for (const it of [first, second, third]) await until(async () => (await it.ready()) === 200)
  })
})

test('a service may ask itself', async () => {
  const port = await freePort()
  const self = await peer(port, [[port, '/health/ready']])
  expect(await self.ready()).toBe(200)
  expect(self.asked).toBe(1)
})

test('a peer that is down, starts or drains takes the asker with it, and gives it back', async () => {
  const [one, other] = [await freePort(), await freePort()]
  const a = await peer(one, [[other, '/health/ready']], { readiness: { cacheTtlMs: 0 } })
  expect(await a.ready()).toBe(503)
  const b = await peer(other, [[one, '/health/ready']], { readiness: { cacheTtlMs: 0 } })
  let start: () => void = quiet
  const started = b.health.setup(() => new Promise<void>((resolve) => (start = resolve)))
  expect(await a.ready()).toBe(503)
  start()
  await started
  expect([await a.ready(), await b.ready()]).toEqual([200, 200])
  b.health.beginDrain()
  expect(await a.ready()).toBe(503)
})
