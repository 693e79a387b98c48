import { ServerResponse } from 'node:http'
import { connect, constants } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { createHealth, type Health } from '@baldur/health-core'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { rawConnection, rawRequest } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const apps: { close(): Promise<unknown> | unknown }[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

function app(options: object = {}): FastifyInstance {
  const made = Fastify(options) as unknown as FastifyInstance
  apps.push(made)
  return made
}

const aHealth = (): Health => createHealth({ env: {}, checks: [{ name: 'x', run: () => true }] })

describe('registered with no options', () => {
  test('answers, and shows the health it made', async () => {
    const fastify = app()
    await fastify.register(baldurHealth)
    expect((await fastify.inject('/health/live')).json()).toEqual({ status: 'alive' })
    expect((await fastify.inject('/health/ready')).statusCode).toBe(200)
    expect(fastify.health.phase).toBe('started')
  })

  test('closes the health it made with the app', async () => {
    let closed = 0
    const close = async (): Promise<void> => {
      closed += 1
    }
    const fastify = app()
    await fastify.register(baldurHealth, { checks: [{ name: 'x', run: () => true, close }] })
    await fastify.close()
    expect(closed).toBe(1)
  })

  test('refuses bad options by rejecting the registration with every problem', async () => {
    const bad = { readiness: { budgetMs: '5s' }, prefx: '/x' } as never
    await expect(app().register(baldurHealth, bad)).rejects.toThrow(
      /did you mean prefix[\s\S]*readiness\.budgetMs/,
    )
  })
})

describe('registered with a health that exists', () => {
  test('leaves closing it to its maker', async () => {
    let closed = 0
    const close = async (): Promise<void> => {
      closed += 1
    }
    const health = createHealth({ env: {}, checks: [{ name: 'x', run: () => true, close }] })
    const fastify = app()
    await fastify.register(baldurHealth, { health })
    expect(fastify.health).toBe(health)
    await fastify.close()
    expect(closed).toBe(0)
  })

  test('refuses options that belong to createHealth', async () => {
    const both = { health: aHealth(), expose: 'message', prefix: 'no-slash' } as const
    await expect(app().register(baldurHealth, both)).rejects.toThrow(
      /expose: expected to be given to createHealth[\s\S]*prefix/,
    )
  })

  test('may be mounted twice under two prefixes', async () => {
    const health = aHealth()
    const fastify = app()
    await fastify.register(baldurHealth, { health })
    await fastify.register(baldurHealth, { health, prefix: '/again' })
    expect((await fastify.inject('/health/ready')).statusCode).toBe(200)
    expect((await fastify.inject('/again/health/ready')).statusCode).toBe(200)
  })

  test('another health in the same place is refused', async () => {
    const fastify = app()
    await fastify.register(baldurHealth, { health: aHealth() })
    await expect(fastify.register(baldurHealth, { health: aHealth(), prefix: '/x' })).rejects.toThrow(
      /another health/,
    )
  })
})

describe('in a child context', () => {
  test('answers below the instance’s prefix and ours, and decorates the child alone', async () => {
    const fastify = app()
    let inside: Health | undefined
    const child: FastifyPluginAsync = async (instance) => {
      await instance.register(baldurHealth, { health: aHealth(), prefix: '/api' })
      instance.addHook('onRequest', async (_request, reply) => reply.code(401).send())
      inside = instance.health
    }
    await fastify.register(child, { prefix: '/v1' })
    expect(inside?.phase).toBe('starting')
    expect(Object.hasOwn(fastify, 'health')).toBe(false)
    for (const [url, status] of [
      ['/v1/api/health/ready', 200],
      ['/v1/api/health/ready/?a', 200],
      ['/v1/health/ready', 404],
      ['/api/health/ready', 404],
      ['/health/ready', 404],
    ] as const) {
      expect([url, (await fastify.inject(url)).statusCode]).toEqual([url, status])
    }
    const post = await fastify.inject({
      method: 'POST',
      url: '/v1/api/health/ready',
      payload: 'x',
      headers: { 'content-type': 'a/b' },
    })
    expect(post.statusCode).toBe(405)
  })

  test.each([
    ['/v1/', '/v1'],
    ['/', ''],
    ['/a/:x/', '/a/7'],
  ])('below a prefix that ends with a slash (%s)', async (prefix, at) => {
    for (const options of [{}, { routerOptions: { ignoreTrailingSlash: true } }]) {
      const fastify = app(options)
      await fastify.register((child) => child.register(baldurHealth, { health: aHealth(), prefix: '/api' }), {
        prefix,
      })
      for (const path of ['live', 'ready/', 'ready?x']) {
        const url = `${at}/api/health/${path}`
        expect([url, (await fastify.inject(url)).statusCode]).toEqual([url, 200])
      }
    }
  })

  test('below a prefix with parameters they still come before a hook that is added later', async () => {
    const fastify = app()
    const child: FastifyPluginAsync = async (instance) => {
      await instance.register(baldurHealth, { health: aHealth() })
      instance.addHook('onRequest', async (_request, reply) => reply.code(401).send())
    }
    await fastify.register(child, { prefix: '/:tenant' })
    for (const path of ['live', 'ready', 'ready/'])
      expect((await fastify.inject(`/t1/health/${path}`)).statusCode).toBe(200)
    expect((await fastify.inject('/t1/health/%6cive')).statusCode).toBe(404)
  })

  test('answers below a prefix with parameters', async () => {
    const fastify = app()
    await fastify.register((child) => child.register(baldurHealth, { health: aHealth() }), {
      prefix: '/t/:tenant',
    })
    expect((await fastify.inject('/t/7/health/ready?x=1')).json()).toEqual({
      status: 'ready',
      checks: { x: 'ready' },
    })
    expect((await fastify.inject('/t/7/healt%68/ready')).statusCode).toBe(404)
  })

  test('below a prefix with parameters a service that asks as a check of its own is told of no peer', async () => {
    const fastify = app()
    const health = createHealth({ env: {}, checks: [{ name: 'x', peer: true, run: () => false }] })
    await fastify.register((child) => child.register(baldurHealth, { health }), { prefix: '/t/:tenant' })
    const url = '/t/7/health/ready'
    expect((await fastify.inject(url)).statusCode).toBe(503)
    const headers = { 'x-baldur-health-check': '1' }
    expect((await fastify.inject({ url, headers })).json()).toEqual({ status: 'ready', checks: {} })
  })
})

describe('with router options of the app’s own', () => {
  test.each([{ routerOptions: { ignoreTrailingSlash: true } }, { exposeHeadRoutes: false }, {}])(
    '%j',
    async (options) => {
      const fastify = app(options)
      await fastify.register(baldurHealth, { health: aHealth() })
      for (const url of ['/health/ready', '/health/ready/', '/health/ready?x']) {
        for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
          expect([url, method, (await fastify.inject({ method, url })).statusCode]).toEqual([
            url,
            method,
            200,
          ])
        }
      }
    },
  )

  test('a router that ignores case does not make paths ours that the contract leaves to the app', async () => {
    const fastify = app({ routerOptions: { caseSensitive: false } })
    await fastify.register(baldurHealth, { health: aHealth() })
    expect((await fastify.inject('/HEALTH/ready')).statusCode).toBe(404)
  })

  test('a path may be the mount itself', async () => {
    const fastify = app()
    await fastify.register(baldurHealth, { env: {}, paths: { live: '/' } })
    expect((await fastify.inject('/')).json()).toEqual({ status: 'alive' })
    const prefixed = app()
    await prefixed.register(baldurHealth, { env: {}, prefix: '/api', paths: { live: '/' } })
    for (const url of ['/api', '/api/'])
      expect((await prefixed.inject(url)).json()).toEqual({ status: 'alive' })
  })

  test('an absolute-form target is not ours, as everywhere', async () => {
    const fastify = app()
    await fastify.register(baldurHealth, { health: aHealth() })
    fastify.addHook('onRequest', async (_request, reply) => reply.code(401).send())
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    const { port } = fastify.server.address() as AddressInfo
    for (const method of ['GET', 'POST']) {
      const answer = await rawRequest({ port, method, path: 'http://x/health/live' })
      expect(answer.status).toBe(401)
    }
  })

  test('a decorator of another plugin with the same name is told of', async () => {
    const fastify = app()
    fastify.decorate('health', 'mine' as never)
    await expect(fastify.register(baldurHealth, { health: aHealth() })).rejects.toThrow(
      /another plugin uses the name/,
    )
  })

  test('a route of the app on a path of ours is a clear error at start', async () => {
    const fastify = app()
    fastify.get('/health/ready', () => 'mine')
    await expect(fastify.register(baldurHealth, { health: aHealth() })).rejects.toThrow(/already declared/)
    const later = app()
    await later.register(baldurHealth, { health: aHealth() })
    expect(() => later.get('/health/ready', () => 'mine')).toThrow(/already declared/)
  })

  test('what the router would only take for ours goes to the app’s own routes', async () => {
    const lenient = { caseSensitive: false, ignoreDuplicateSlashes: true, useSemicolonDelimiter: true }
    for (const routerOptions of [{}, lenient]) {
      const fastify = app({ routerOptions })
      await fastify.register(baldurHealth, { health: aHealth() })
      await fastify.register((child) => child.register(baldurHealth, { health: aHealth() }), {
        prefix: '/:tenant',
      })
      fastify.all('/*', () => 'proxied')
      await fastify.listen({ host: '127.0.0.1', port: 0 })
      const { port } = fastify.server.address() as AddressInfo
      const paths = [
        '/healt%68/live',
        '/HEALTH/live',
        '/health//live',
        '/health/live;a',
        '/health/live#x',
        'http://h/health/live',
      ]
      for (const path of [...paths, '/t1/healt%68/live', '/t1/HEALTH/live']) {
        expect([path, (await rawRequest({ port, path })).body]).toEqual([path, 'proxied'])
      }
      for (const path of ['/health/live', '/t1/health/live/']) {
        expect([path, (await rawRequest({ port, path })).body]).toEqual([path, '{"status":"alive"}'])
      }
    }
  })
})

describe('the request log', () => {
  const logged = async (options: { logLevel?: 'info' }): Promise<string[]> => {
    const lines: string[] = []
    const fastify = app({ logger: { level: 'info', stream: { write: (line: string) => lines.push(line) } } })
    await fastify.register(baldurHealth, { health: aHealth(), ...options })
    fastify.get('/orders', () => [])
    await fastify.inject('/health/ready')
    await fastify.inject('/orders')
    return lines.filter((line) => line.includes('"url"')).map((line) => JSON.parse(line).req.url)
  }

  test('holds no probes by default', async () => {
    expect(await logged({})).toEqual(['/orders'])
  })

  test('holds them when asked for', async () => {
    expect(await logged({ logLevel: 'info' })).toEqual(['/health/ready', '/orders'])
  })

  test('tells of a failing check through Fastify’s logger', async () => {
    const lines: string[] = []
    const fastify = app({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
    await fastify.register(baldurHealth, { checks: [{ name: 'x', run: () => false }] })
    await fastify.inject('/health/ready')
    expect(lines.join()).toContain('check x is not usable')
  })
})

test('an upgrade that a WebSocket library routes through Fastify leaves no connection behind', async () => {
  const fastify = app()
  await fastify.register(baldurHealth, { health: aHealth() })
  await fastify.ready()
  // as @fastify/websocket does it
  fastify.server.on('upgrade', (request, socket) => {
    const response = new ServerResponse(request)
    response.assignSocket(socket as Socket)
    fastify.routing(request, response)
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  for (let i = 0; i < 20; i++) {
    const client = await rawConnection({ port })
    client.send('GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect((await client.read()).status).toBe(200)
    expect(await client.closed()).toBe('end')
    client.close()
  }
  const open = (): Promise<number> =>
    new Promise((resolve) => fastify.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(open).toBe(0)
})

test('answers that are injected are observed too', async () => {
  const fastify = app()
  await fastify.register(baldurHealth, { health: aHealth(), observe: true })
  fastify.get('/', (_request, reply) => reply.code(503).send())
  for (let i = 0; i < 3; i++) await fastify.inject('/')
  expect((await fastify.inject('/health/ready')).json()).toMatchObject({ checks: { responses: 'not_ready' } })
})

test('a logger among the options wins over Fastify’s own', async () => {
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const logger = { debug: log, info: log, warn: log, error: log }
  const fastify = app({ logger: { level: 'silent' } })
  await fastify.register(baldurHealth, { logger, checks: [{ name: 'x', run: () => false }] })
  await fastify.inject('/health/ready')
  expect(lines.join()).toContain('check x is not usable')
})

test('its routes are hidden from generated API documents', async () => {
  const hidden: unknown[] = []
  const fastify = app()
  fastify.addHook(
    'onRoute',
    ({ schema }) => void hidden.push((schema as { hide?: boolean } | undefined)?.hide),
  )
  await fastify.register(baldurHealth, { health: aHealth() })
  expect(hidden).toEqual(Array.from({ length: 12 }, () => true))
})

test('a child context may have another health than its parent', async () => {
  const fastify = app()
  await fastify.register(baldurHealth, { health: aHealth() })
  const other = aHealth()
  await fastify.register((child) => child.register(baldurHealth, { health: other }), { prefix: '/child' })
  other.beginDrain()
  expect(fastify.health).not.toBe(other)
  expect((await fastify.inject('/child/health/ready')).statusCode).toBe(503)
  expect((await fastify.inject('/health/ready')).statusCode).toBe(200)
})

test('while draining the connection closes, whatever an earlier hook said of it', async () => {
  const health = aHealth()
  const fastify = app()
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('connection', 'keep-alive')
  })
  await fastify.register(baldurHealth, { health })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  health.beginDrain()
  const { port } = fastify.server.address() as AddressInfo
  expect((await rawRequest({ port, path: '/health/ready' })).header('connection')).toBe('close')
})

test('headers that an earlier hook set stay', async () => {
  const fastify = app()
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
  })
  await fastify.register(baldurHealth, { health: aHealth() })
  const answer = await fastify.inject('/health/ready')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
})

test('a header of an earlier hook that cannot be sent is left out, and the probe is answered', async () => {
  const fastify = app()
  fastify.addHook('onRequest', async (request, reply) => {
    const { id } = request.query as { id: string }
    reply.header('x-request-id', id).header('x-fine', 'yes')
  })
  await fastify.register(baldurHealth, { health: aHealth() })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  for (const path of ['live', 'ready', 'ready']) {
    const answer = await rawRequest({ port, path: `/health/${path}?id=%E2%82%AC` })
    expect([answer.status, answer.header('x-request-id'), answer.header('x-fine')]).toEqual([
      200,
      undefined,
      'yes',
    ])
  }
})

test('onResponse hooks, which metrics use, still hear of probes', async () => {
  const seen: number[] = []
  const fastify = app()
  await fastify.register(baldurHealth, { health: aHealth() })
  fastify.addHook('onResponse', async (_request, reply) => {
    seen.push(reply.statusCode)
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  await (await fetch(`http://127.0.0.1:${port}/health/ready`)).text()
  await expect.poll(() => seen).toEqual([200])
})

test('over HTTP/2 a draining answer has no Connection header', async () => {
  const health = aHealth()
  const fastify = app({ http2: true })
  await fastify.register(baldurHealth, { health })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  health.beginDrain()
  const session = connect(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`)
  const stream = session.request({ [constants.HTTP2_HEADER_PATH]: '/health/ready' })
  const headers = await new Promise<Record<string, unknown>>((resolve) => stream.on('response', resolve))
  stream.resume()
  expect(headers[constants.HTTP2_HEADER_STATUS]).toBe(503)
  expect(headers['retry-after']).toBe('1')
  expect(headers.connection).toBeUndefined()
  await new Promise<void>((resolve) => session.close(resolve))
})
