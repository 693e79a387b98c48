import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { createDrain } from '@baldur/health-drain'
import Fastify, { type FastifyInstance } from 'fastify'
import { rawRequest } from 'health-testkit'
import { describeDrain } from 'health-testkit/describe-drain'
import { fastifyService } from 'health-testkit/fastify-service'
import { afterEach, describe, expect, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const QUICK = {
  shutdownDelayMs: 300,
  settleMs: 0,
  lingerMs: 100,
  requestTimeoutMs: 1_000,
  hookTimeoutMs: 500,
  env: {},
}

// Fastify has the option in place of a middleware; its server is always known
describeDrain('Fastify', async (_by, options) => {
  const drains: ReturnType<typeof createDrain>[] = []
  const service = await fastifyService({
    mount: async (app) => {
      await app.register(baldurHealth, { env: {}, drain: options })
      drains.push(app.drain)
    },
  })
  const [drain] = drains
  if (drain === undefined) throw new Error('no drain was decorated')
  return { service, drain }
})

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})
const serve = async (drain: boolean | object, options: object = {}): Promise<FastifyInstance> => {
  const app = Fastify(options) as unknown as FastifyInstance
  apps.push(app)
  await app.register(baldurHealth, { env: {}, drain } as never)
  app.get('/', () => 'hello')
  return app
}

describe('the option drain', () => {
  test('is off by default', async () => {
    const app = Fastify()
    await app.register(baldurHealth, { env: {} })
    expect(app.hasDecorator('drain')).toBe(false)
    await app.close()
  })

  test('true takes the defaults, and tells the health', async () => {
    const app = await serve(true)
    expect(app.drain.explain()).toContain('5 s  the listener closes')
    expect(app.drain.phase).toBe('starting')
  })

  test('wrong options reject the registration', async () => {
    await expect(serve({ shutdownDelay: 5 })).rejects.toThrow(/did you mean shutdownDelayMs/)
  })

  test.each([{}, { forceCloseConnections: 'idle' }, { forceCloseConnections: true }])(
    'Fastify’s own close comes last, after hooks that were added later (%j)',
    async (options) => {
      const app = await serve(QUICK, options)
      const order: string[] = []
      app.addHook('onClose', async () => void order.push('closed'))
      app.drain.onShutdown('pool', () => order.push('pool'))
      await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      const ended = app.drain.start()
      for (const path of ['/', '/health/live']) expect((await rawRequest({ port, path })).status).toBe(200)
      expect((await rawRequest({ port, path: '/health/ready' })).status).toBe(503)
      expect(await ended).toMatchObject({ isClean: true })
      expect(order).toEqual(['pool', 'closed'])
    },
  )

  test('an app that is closed without a drain lets go of its server', async () => {
    const app = await serve(QUICK)
    const { emit } = app.server
    await app.close()
    expect(app.server.emit).not.toBe(emit)
  })

  test('on localhost the second server that Fastify opens drains too', async () => {
    const app = await serve(QUICK)
    await app.listen({ host: 'localhost', port: 0 })
    const hosts = app.addresses().map((address) => (address as AddressInfo).address)
    const { port } = app.server.address() as AddressInfo
    const ask = async (host: string): Promise<string | undefined> => {
      const request = get({ host, port, path: '/' })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      return response.headers.connection
    }
    const ended = app.drain.start()
    for (const host of hosts) expect([host, await ask(host)]).toEqual([host, 'close'])
    expect(await ended).toMatchObject({ isClean: true })
    for (const host of hosts) await expect(ask(host)).rejects.toThrow(/ECONNREFUSED/)
  })
})
