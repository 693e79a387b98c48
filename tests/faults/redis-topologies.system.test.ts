// @module-tag redis-server
import { redisCheck } from '@baldur/health-core/redis'
import { type PrivateServer, startRedis, until } from 'health-testkit'
import Ioredis from 'ioredis'
import Ioredis5 from 'ioredis-5'
import { createCluster } from 'redis-5'
import { afterEach, describe, expect, test } from 'vitest'
import { type Served, serveHealth, TOLERANCE_MS } from './service.ts'

const ignore = (): void => undefined
const running: { stop(): Promise<unknown> }[] = []
let served: Served | undefined

const begin = async (settings: Parameters<typeof startRedis>[0]): Promise<PrivateServer> => {
  const server = await startRedis(settings)
  running.push(server)
  return server
}

afterEach(async () => {
  await served?.close()
  served = undefined
  for (const one of running.splice(0).reverse()) await one.stop()
})

describe.each([
  ['ioredis 6', Ioredis],
  ['ioredis 5.0', Ioredis5 as unknown as typeof Ioredis],
])('%s', (_name, Class) => {
  test('a cluster: ready, timed_out while its node is stalled with one PING outstanding, not_ready when it is gone, and back', async () => {
    const node = await begin({ settings: { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' } })
    const observer = new Class(node.port)
    observer.on('error', ignore)
    await observer.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(async () => String(await observer.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
    const cluster = new Class.Cluster([{ host: '127.0.0.1', port: node.port }])
    cluster.on('error', ignore)
    running.push({ stop: async () => [observer, cluster].map((one) => one.disconnect()) })
    served = await serveHealth({
      databases: {
        default: redisCheck(cluster, { requireWritable: true }),
        ping: redisCheck(cluster, { timeoutMs: 300 }),
      },
      readiness: { cacheTtlMs: 0 },
    })
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    const count = async (): Promise<number> =>
      Number(/cmdstat_ping:calls=(\d+)/.exec(await observer.info('commandstats'))?.[1] ?? 0)
    const before = await count()
    await node.pause()
    for (let run = 0; run < 4; run++) {
      expect((await get('/health/ready')).body.checks).toMatchObject({ database_ping: 'timed_out' })
    }
    await node.resume()
    expect((await count()) - before).toBe(1)
    await until(async () => (await get('/health/ready')).status === 200)
    await node.crash()
    await until(async () => (await get('/health/ready')).body.checks?.database_ping === 'not_ready', {
      timeoutMs: 8_000,
    })
    await node.restart()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 15_000, everyMs: 50 })
  })

  test('a node without its slots: CLUSTERDOWN where it must be writable, while it answers PING', async () => {
    const node = await begin({ settings: { 'cluster-enabled': 'yes' } })
    const client = new Class(node.port)
    client.on('error', ignore)
    running.push({ stop: async () => client.disconnect() })
    served = await serveHealth({
      databases: { default: redisCheck(client, { requireWritable: true }), ping: redisCheck(client) },
    })
    expect((await served.get('/health/pool')).body.error).toBe('CLUSTERDOWN: cluster is down')
    expect((await served.get('/health/ready')).body.checks).toMatchObject({ database_ping: 'ready' })
  })

  test('a client that asks sentinels: ready, and no node to be had reads not_ready at once', async () => {
    const primary = await begin({})
    const sentinel = await begin({
      sentinel: true,
      settings: { sentinel: `monitor main 127.0.0.1 ${primary.port} 1` },
    })
    const client = new Class({
      sentinels: [{ host: '127.0.0.1', port: sentinel.port }],
      name: 'main',
    })
    client.on('error', ignore)
    running.push({ stop: async () => client.disconnect() })
    served = await serveHealth({
      databases: { default: redisCheck(client, { requireWritable: true }) },
      readiness: { cacheTtlMs: 0 },
    })
    const { get } = served
    await until(async () => (await get('/health/ready')).status === 200)
    await sentinel.crash()
    await primary.crash()
    await until(async () => (await get('/health/ready')).status === 503)
    const down = await get('/health/ready')
    expect(down.body.checks).toEqual({ database_default: 'not_ready' })
    expect(down.ms).toBeLessThan(TOLERANCE_MS)
    await sentinel.restart()
    await primary.restart()
    await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000, everyMs: 50 })
  })
})

test('a cluster of redis 5 is refused, since it does not say whether it is connected', () => {
  const cluster = createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] })
  expect(() => redisCheck(cluster as never)).toThrow(
    /redisCheck\(client\): expected a client or cluster of ioredis/,
  )
})
