import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import type { Health } from './health.ts'
import { type HealthUnderTest, healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { ProbeResponse } from './vocabulary/exchange.ts'
import { PEER_HEADER } from './vocabulary/peer.ts'

const message = { headers: { [PEER_HEADER]: '1' } }

/** Asks as a check of another service does. */
async function askAsPeer(
  { health }: { readonly health: Health },
  path: string,
): Promise<readonly [status: number, body: Record<string, unknown>]> {
  const answer = await health.answer({ method: 'GET', target: path, message })
  if (answer === undefined) throw new Error(`${path} is not ours`)
  return [answer.status, JSON.parse(answer.body)]
}

describe('a service that asks as a check of its own', () => {
  test('starts no check while what is known is fresh, also with nocache, and gets the same words', async () => {
    const database = scriptedCheck('db')
    const it = healthUnderTest({ databases: { default: database } })
    await it.get('/ready')
    await it.get('')
    expect(await askAsPeer(it, '/health/ready')).toEqual([
      200,
      { status: 'ready', checks: { database_default: 'ready' } },
    ])
    for (const target of ['/health', '/health?nocache=true', '/health/pool']) {
      expect((await askAsPeer(it, target))[0]).toBe(200)
    }
    expect(database.runs).toBe(1)
  })

  test('is told of what the service itself needs, never of peers, which are not run for it', async () => {
    const database = scriptedCheck('db')
    const peer = scriptedCheck('orders', { peer: true })
    peer.behave(() => false)
    const it = healthUnderTest({ databases: { default: database }, checks: [peer] })
    // nothing is known: it computes, without the peer
    expect(await askAsPeer(it, '/health/ready')).toEqual([
      200,
      { status: 'ready', checks: { database_default: 'ready' } },
    ])
    expect(await askAsPeer(it, '/health')).toMatchObject([
      200,
      { status: 'healthy', checks: { database: 'healthy' } },
    ])
    expect([database.runs, peer.runs]).toEqual([1, 0])
    // a prober is told of both
    expect((await it.get('/ready')).body).toMatchObject({
      status: 'not_ready',
      checks: { orders: 'not_ready' },
    })
    database.behave(() => false)
    await it.clock.advance(5_001)
    expect((await askAsPeer(it, '/health/ready'))[0]).toBe(503)
  })

  test('reads healthy of a service that has nothing but peers', async () => {
    const it = healthUnderTest({ checks: [scriptedCheck('orders', { peer: true })] })
    expect((await askAsPeer(it, '/health'))[0]).toBe(200)
    expect((await askAsPeer(it, '/health/ready'))[0]).toBe(200)
  })

  test('a peer in databases is a database, and counts', async () => {
    const search = scriptedCheck('search', { peer: true })
    search.behave(() => false)
    const it = healthUnderTest({ databases: { default: search } })
    expect((await askAsPeer(it, '/health/ready'))[0]).toBe(503)
  })

  test('hears of a drain and of a start like anybody', async () => {
    const it = healthUnderTest({ checks: [scriptedCheck('orders', { peer: true })] })
    void it.health.setup(() => new Promise(() => undefined))
    expect((await askAsPeer(it, '/health/ready'))[1]).toEqual({ status: 'starting' })
    it.health.beginDrain()
    expect((await askAsPeer(it, '/health'))[1]).toMatchObject({ status: 'draining' })
  })

  test.each([[undefined], [{}], [{ headers: undefined }], [{ headers: { [PEER_HEADER]: undefined } }]])(
    'is not taken for one without the header (%j)',
    async (without) => {
      const peer = scriptedCheck('orders', { peer: true })
      const { health } = healthUnderTest({ checks: [peer] })
      await health.answer({ method: 'GET', target: '/health/ready', message: without as never })
      expect(peer.runs).toBe(1)
    },
  )

  test('a message that throws when it is read breaks nothing', async () => {
    const { health } = healthUnderTest()
    const hostile = {
      get headers(): never {
        throw new Error('no')
      },
    }
    const answers = ['/health/ready', '/health/live'].map(
      (target) => health.answer({ method: 'GET', target, message: hostile }) as ProbeResponse,
    )
    expect(answers.map(({ status }) => status)).toEqual([503, 200])
  })
})

/** Two services that look at each other, each through the other's answer function. */
function pair(): readonly [HealthUnderTest, HealthUnderTest, asked: { times: number }] {
  const asked = { times: 0 }
  const services: HealthUnderTest[] = []
  const check = (name: string, other: number) => ({
    name,
    peer: true,
    run: async () => {
      asked.times += 1
      const [status] = await askAsPeer(services[other] as HealthUnderTest, '/health/ready')
      return status === 200
    },
  })
  const a = healthUnderTest({ checks: [check('b', 1)], databases: { default: scriptedCheck('db') } })
  const b = healthUnderTest({ checks: [check('a', 0)], databases: { default: scriptedCheck('db') } })
  services.push(a, b)
  return [a, b, asked]
}

describe('two services that check each other', () => {
  test('come up together, and neither asks more than once per TTL', async () => {
    const [a, b, asked] = pair()
    for (let second = 0; second < 20; second++) {
      for (const it of [a, b]) expect((await it.get('/ready')).status).toBe(200)
      await Promise.all([a.clock.advance(1_000), b.clock.advance(1_000)])
    }
    // each has a TTL of 5 s
    expect(asked.times).toBe(8)
  })

  test('do not keep each other down: a fault of one is over for both when it is over', async () => {
    let isUp = false
    const services: Health[] = []
    const make = (other: number, run: () => boolean) => {
      const ask = async () =>
        (await askAsPeer({ health: services[other] as Health }, '/health/ready'))[0] === 200
      return createHealth({
        env: {},
        readiness: { cacheTtlMs: 0 },
        databases: { default: { name: 'db', run } },
        checks: [{ name: 'other', peer: true, run: ask }],
        logger: {
          debug: () => undefined,
          info: () => undefined,
          warn: () => undefined,
          error: () => undefined,
        },
      })
    }
    services.push(
      make(1, () => isUp),
      make(0, () => true),
    )
    const [a, b] = services as [Health, Health]
    for (let i = 0; i < 3; i++) {
      expect([(await a.readiness()).status, (await b.readiness()).status]).toEqual(['not_ready', 'not_ready'])
    }
    isUp = true
    expect([(await b.readiness()).status, (await a.readiness()).status]).toEqual(['ready', 'ready'])
  })
})
