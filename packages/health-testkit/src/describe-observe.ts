import { type Check, createHealth, type Health } from '@baldur/health-core'
import { afterEach, describe, expect, test } from 'vitest'
import { QUIET } from './adapter-states.ts'
import type { Mounting, MountService } from './mounting.ts'
import { rawConnection } from './raw-connection.ts'
import { rawRequest } from './raw-request.ts'
import type { Service } from './services/service.ts'

const HOLD_MS = 300

/** What every adapter with an `observe` option makes of its app's answers, in each way that apps answer. */
export function describeObserve(name: string, mount: MountService): void {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const start = async (
    observe: Mounting['observe'] = { holdMs: HOLD_MS },
    run: Check['run'] = () => true,
  ): Promise<{
    health: Health
    service: Service
    ask(path: string): Promise<number>
    ready(): Promise<unknown>
  }> => {
    const health = createHealth({ env: {}, logger: QUIET, checks: [{ name: 'x', run, fall: 1 }] })
    const service = await mount({ health, ...(observe === undefined ? {} : { observe }) })
    closers.push(() => health.close(), service.close)
    return {
      health,
      service,
      ask: async (path) => (await rawRequest({ port: service.port, path })).status,
      ready: async () => (await health.readiness()).checks.responses,
    }
  }
  /** Sends a request and reads the head that comes back, no more. */
  const open = async ({ port }: Service, path: string): Promise<{ close(): void; reset(): void }> => {
    const connection = await rawConnection({ port })
    closers.push(() => connection.close())
    connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return connection
  }

  describe(`${name} observes the answers of its app`, () => {
    test('one crafted 503 changes nothing, three in a row turn readiness off, and it comes back by itself', async () => {
      const { ask, ready } = await start()
      expect(await ask('/open/status/503')).toBe(503)
      expect(await ask('/open/status/200')).toBe(200)
      expect(await ask('/open/status/503')).toBe(503)
      expect(await ask('/open/status/503')).toBe(503)
      expect([await ready(), await ask('/health/ready')]).toEqual(['ready', 200])
      expect(await ask('/open/status/503')).toBe(503)
      expect([await ready(), await ask('/health/ready')]).toEqual(['not_ready', 503])
      await expect.poll(ready, { timeout: HOLD_MS * 5 }).toBe('ready')
      expect(await ask('/health/ready')).toBe(200)
    })

    test.each(['status', 'throw', 'stream'])('a 503 counts however it is answered: %s', async (way) => {
      const { ask, ready } = await start()
      for (let i = 0; i < 3; i++) {
        expect(await ready()).toBe('ready')
        expect(await ask(`/open/${way}/503`)).toBe(503)
      }
      expect(await ready()).toBe('not_ready')
    })

    test('a stream counts when it begins: three that never end turn readiness off', async () => {
      const { service, ready } = await start({ holdMs: 5_000 })
      for (let i = 0; i < 3; i++) await open(service, '/open/events/503')
      await expect.poll(ready).toBe('not_ready')
    })

    test('a stream that began well and goes on does not end a row', async () => {
      const { service, ask, ready } = await start({ holdMs: 5_000 })
      const events = await open(service, '/open/events/200')
      expect(await ask('/open/status/503')).toBe(503)
      expect(await ask('/open/status/503')).toBe(503)
      events.close()
      expect(await ask('/open/status/503')).toBe(503)
      expect(await ready()).toBe('not_ready')
    })

    test('a stream that breaks in the middle is what its head said', async () => {
      const { ask, ready } = await start({ holdMs: 5_000 })
      for (let i = 0; i < 5; i++) await ask('/open/break/200').catch(() => undefined)
      expect(await ready()).toBe('ready')
      for (let i = 0; i < 3; i++) await ask('/open/break/503').catch(() => undefined)
      expect(await ready()).toBe('not_ready')
    })

    test('what is answered to a client that has left is no answer', async () => {
      const { service, ready } = await start({ holdMs: 5_000 })
      const clients = await Promise.all([1, 2, 3, 4, 5].map(() => open(service, '/open/late/503')))
      await expect.poll(() => service.late.waiting).toBe(5)
      for (const client of clients) client.reset()
      await expect.poll(() => service.late.answered).toBe(5)
      expect(await ready()).toBe('ready')
    })

    test('a 504 degrades the verdict for the time of the hold; other failures, thrown ones too, change nothing', async () => {
      const { ask, health, ready } = await start()
      for (const path of ['/open/status/500', '/open/throw/500', '/open/throw/502', '/open/status/429']) {
        for (let i = 0; i < 4; i++) await ask(path)
      }
      expect((await health.verdict()).status).toBe('healthy')
      expect(await ask('/open/throw/504')).toBe(504)
      expect([(await health.verdict()).status, await ready()]).toEqual(['degraded', 'ready'])
      await expect.poll(async () => (await health.verdict()).status, { timeout: HOLD_MS * 5 }).toBe('healthy')
    })

    test('answers to probes do not count, whatever they say', async () => {
      const { ask, ready } = await start({ fall: 1 }, () => false)
      for (let i = 0; i < 5; i++) {
        for (const path of ['', '/ready', '/pool']) expect(await ask(`/health${path}`)).toBe(503)
      }
      expect(await ready()).toBe('ready')
    })

    test('answers while draining do not count', async () => {
      const { ask, health } = await start({ fall: 1 })
      const events: string[] = []
      health.on('check', ({ name: check }) => events.push(check))
      health.beginDrain()
      for (let i = 0; i < 3; i++) await ask('/open/status/503')
      expect(events).not.toContain('responses')
    })

    test('mounted twice, the probes of either are no answers of the app, and each answer counts once', async () => {
      let isUp = true
      const checks = [{ name: 'x', run: () => isUp }]
      const health = createHealth({ env: {}, logger: QUIET, checks, readiness: { cacheTtlMs: 0 } })
      const observe = { holdMs: 60_000 }
      const service = await mount({ health, observe }, { health, observe, prefix: '/again' })
      closers.push(() => health.close(), service.close)
      const ask = async (path: string): Promise<number> =>
        (await rawRequest({ port: service.port, path })).status
      const responses = async (): Promise<unknown> => (await health.readiness()).checks.responses
      for (const prefix of ['', '/again']) expect(await ask(`${prefix}/health/ready`)).toBe(200)
      isUp = false
      for (let i = 0; i < 4; i++) expect(await ask('/again/health/ready')).toBe(503)
      expect(await responses()).toBe('ready')
      for (let i = 0; i < 2; i++) await ask('/open/status/503')
      expect(await responses()).toBe('ready')
      await ask('/open/status/503')
      expect(await responses()).toBe('not_ready')
    })

    test('without the option nothing is read of them', async () => {
      const health = createHealth({ env: {}, logger: QUIET, checks: [{ name: 'x', run: () => true }] })
      const service = await mount({ health })
      closers.push(() => health.close(), service.close)
      for (let i = 0; i < 5; i++) await rawRequest({ port: service.port, path: '/open/status/503' })
      expect(await health.readiness()).toEqual({ status: 'ready', checks: { x: 'ready' } })
    })
  })
}
