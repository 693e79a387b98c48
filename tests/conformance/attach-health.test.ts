import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  connect,
  constants,
  createServer as createHttp2Server,
  createSecureServer,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createHttpsServer, get } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createHealth, type Health } from '@baldur/health-core'
import { attachHealth, healthListener } from '@baldur/health-core/node'
import express from 'express'
import Fastify from 'fastify'
import { rawConnection, rawRequest, selfSigned } from 'health-testkit'
import { describeAdapter, type MountService } from 'health-testkit/describe-adapter'
import { expressService } from 'health-testkit/express-service'
import { fastifyService } from 'health-testkit/fastify-service'
import { koaService } from 'health-testkit/koa-service'
import { nodeService } from 'health-testkit/node-service'
import type { Service } from 'health-testkit/service'
import { afterEach, describe, expect, test } from 'vitest'

const refuse = (_request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('etag', '"bait"')
  response.writeHead(401).end('who are you?')
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Mounted in none of them: only attached to their servers, with all their layers in the way of anything later. */
const attached =
  (service: (parts: { attach(server: Server): void }) => Promise<Service>): MountService =>
  (...mountings) =>
    service({
      attach: (server) => {
        for (const { health, below = '', prefix = health.prefix } of mountings) {
          attachHealth(server, health, { prefix: `${below}${prefix}` })
        }
      },
    })

describeAdapter('attachHealth on a plain server', attached(nodeService))
describeAdapter('attachHealth on Express', attached(expressService))
describeAdapter('attachHealth on Fastify', attached(fastifyService))
describeAdapter('attachHealth on Koa', attached(koaService))

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})
const aHealth = (run: () => unknown = () => true): Health =>
  createHealth({ env: {}, checks: [{ name: 'x', run: run as () => boolean }] })

describe('attachHealth', () => {
  test('hands everything else to the listeners in their order, also to those added later, and can be detached', async () => {
    const heard: string[] = []
    const server = createServer((_request, response) => {
      heard.push('first')
      response.setHeader('x', '1')
    })
    closers.push(() => server.close())
    const detach = attachHealth(server, aHealth())
    server.on('request', (_request, response) => {
      heard.push('second')
      response.end('app')
    })
    const port = await listen(server)
    expect((await rawRequest({ port, path: '/health/live' })).body).toBe('{"status":"alive"}')
    expect(heard).toEqual([])
    const ordinary = await rawRequest({ port, path: '/orders' })
    expect([ordinary.body, ordinary.header('x'), heard]).toEqual(['app', '1', ['first', 'second']])
    detach()
    expect((await rawRequest({ port, path: '/health/live' })).body).toBe('app')
  })

  test('detached below another wrapper, it lets everything through and breaks neither', async () => {
    const server = createServer((_request, response) => response.end('app'))
    closers.push(() => server.close())
    const detachFirst = attachHealth(server, aHealth(), { prefix: '/a' })
    const detachSecond = attachHealth(server, aHealth(), { prefix: '/b' })
    const port = await listen(server)
    detachFirst()
    expect((await rawRequest({ port, path: '/a/health/live' })).body).toBe('app')
    expect((await rawRequest({ port, path: '/b/health/live' })).body).toBe('{"status":"alive"}')
    detachSecond()
    expect((await rawRequest({ port, path: '/b/health/live' })).body).toBe('app')
  })

  test('answers while a framework that is closing answers 503 to everything', async () => {
    let release: () => void = () => undefined
    const app = Fastify()
    app.get('/slow', () => new Promise((resolve) => (release = () => resolve('done'))))
    attachHealth(app.server, aHealth())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const slow = rawRequest({ port, path: '/slow' })
    const kept = await rawConnection({ port })
    kept.send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /orders HTTP/1.1\r\nHost: x\r\n')
    expect((await kept.read()).status).toBe(200)
    await expect.poll(() => release).not.toBe(undefined)
    const closing = app.close()
    await new Promise((resolve) => setImmediate(resolve))
    kept.send('\r\n')
    expect((await kept.read()).status).toBe(503)
    kept.close()
    const late = await rawConnection({ port }).catch(() => undefined)
    late?.close()
    release()
    expect((await slow).body).toBe('done')
    await closing
  })

  test('a probe with Expect: 100-continue is answered where the app listens for that', async () => {
    const server = createServer()
    closers.push(() => server.close())
    server.on('checkContinue', (_request, response) => response.writeHead(417).end())
    attachHealth(server, aHealth())
    const port = await listen(server)
    const headers = { expect: '100-continue', 'content-length': '3' }
    expect((await rawRequest({ port, path: '/health/ready', method: 'POST', headers })).status).toBe(405)
    expect((await rawRequest({ port, path: '/orders', method: 'POST', headers })).status).toBe(417)
  })

  test('a probe that offers an upgrade is answered where the app listens for upgrades, whose own stay its own', async () => {
    const server = createServer(refuse)
    closers.push(() => server.close())
    server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n'),
    )
    attachHealth(server, aHealth())
    const port = await listen(server)
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await rawRequest({ port, path, headers })
      expect([answer.status, answer.header('connection'), answer.framing]).toEqual([200, 'close', 'length'])
    }
    expect((await rawRequest({ port, path: '/chat', headers })).status).toBe(426)
  })

  test('an answer to an upgrade is like any other, and its connection is gone with it, whatever its client still sends', async () => {
    const server = createServer(refuse)
    closers.push(() => server.close())
    server.on('upgrade', (_request, socket) => socket.destroy())
    attachHealth(server, aHealth())
    const port = await listen(server)
    const head = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    for (let i = 0; i < 50; i++) {
      const client = await rawConnection({ port })
      client.send(head)
      const answer = await client.read()
      expect([answer.status, answer.reason, answer.body]).toEqual([200, 'OK', '{"status":"alive"}'])
      expect(answer.header('date')).toBeDefined()
      client.send('a frame')
      if (i % 2 === 0) client.reset()
    }
    const open = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
    await expect.poll(open).toBe(0)
  })

  test('an upgrade behind a request that has no answer yet is not answered in its place', async () => {
    const server = createServer(() => undefined)
    closers.push(() => server.close())
    server.on('upgrade', (_request, socket) => socket.destroy())
    attachHealth(server, aHealth())
    const client = await rawConnection({ port: await listen(server) })
    const upgrade = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    client.send(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${upgrade}`)
    await client.closed()
    expect(client.unread).toBe('')
  })

  test('a prober that resets its upgrade while it waits breaks nothing', async () => {
    let settle: (value: boolean) => void = () => undefined
    const server = createServer(refuse)
    closers.push(() => server.close())
    server.on('upgrade', (_request, socket) => socket.destroy())
    const health = aHealth(() => new Promise<boolean>((resolve) => (settle = resolve)))
    attachHealth(server, health)
    const port = await listen(server)
    for (let i = 0; i < 20; i++) {
      const client = await rawConnection({ port })
      client.send('GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
      await expect.poll(() => health.phase).toBe('started')
      client.reset()
    }
    settle(true)
    expect((await rawRequest({ port, path: '/health/ready' })).status).toBe(200)
  })

  test('a probe with another expectation is answered where the app listens for that', async () => {
    const server = createServer()
    closers.push(() => server.close())
    server.on('checkExpectation', (_request, response) => response.writeHead(417).end())
    attachHealth(server, aHealth())
    const port = await listen(server)
    const headers = { expect: 'miracles' }
    expect((await rawRequest({ port, path: '/health/ready', headers })).status).toBe(200)
    expect((await rawRequest({ port, path: '/orders', headers })).status).toBe(417)
  })

  test('an answer that somebody else has begun stays theirs', async () => {
    const server = createServer()
    closers.push(() => server.close())
    const health = aHealth()
    const listener = healthListener(health)
    server.on('request', (request, response) => {
      response.writeHead(200, { 'content-length': '4' }).write('mi')
      listener(request, response)
      response.end('ne')
    })
    const port = await listen(server)
    for (const path of ['/health/live', '/health/ready']) {
      expect((await rawRequest({ port, path })).body).toBe('mine')
    }
  })

  test('detached, it leaves the server as it was, and while attached it sees what the prototype becomes', async () => {
    const server = createServer((_request, response) => response.end('app'))
    closers.push(() => server.close())
    const detach = attachHealth(server, aHealth())
    const prototype = Object.getPrototypeOf(server) as { emit(this: Server, event: string): boolean }
    const { emit } = prototype
    const seen: string[] = []
    prototype.emit = function (event: string, ...args: unknown[]) {
      seen.push(event)
      return emit.call(this, event, ...(args as []))
    }
    closers.push(() => {
      prototype.emit = emit
    })
    const port = await listen(server)
    expect((await rawRequest({ port, path: '/health/live' })).body).toBe('{"status":"alive"}')
    expect((await rawRequest({ port })).body).toBe('app')
    expect(seen.filter((event) => event === 'request')).toHaveLength(1)
    detach()
    expect(Object.hasOwn(server, 'emit')).toBe(false)
  })

  test.each<[string, () => unknown, RegExp]>([
    [
      'an Express app',
      () => attachHealth(express() as never, aHealth()),
      /server: expected a server of node:http.* got an app/,
    ],
    ['no server', () => attachHealth(undefined as never, aHealth()), /server: expected/],
    [
      'no health',
      () => attachHealth(createServer(), undefined as never),
      /health: expected what createHealth returned/,
    ],
    [
      'the middleware of an adapter',
      () => attachHealth(createServer(), Object.assign(() => undefined, { health: aHealth() }) as never),
      /health: .*got the middleware of an adapter; give its \.health/,
    ],
    [
      'a typo',
      () => attachHealth(createServer(), aHealth(), { prefx: '/a' } as never),
      /prefx: .*did you mean prefix/,
    ],
    [
      'a typo of the listener',
      () => healthListener(aHealth(), { nxt: () => undefined } as never),
      /nxt: .*did you mean next/,
    ],
    [
      'a bad prefix and a bad next',
      () => healthListener(aHealth(), { prefix: 'a', next: 5 } as never),
      /prefix: [\s\S]*next: /,
    ],
  ])('refuses at once: %s', (_what, attach, message) => {
    expect(attach).toThrow(message)
  })

  test('callers that hang up before a late answer break nothing', async () => {
    let settle: (value: boolean) => void = () => undefined
    const server = createServer(refuse)
    closers.push(() => server.close())
    attachHealth(
      server,
      aHealth(() => new Promise<boolean>((resolve) => (settle = resolve))),
    )
    const port = await listen(server)
    for (let i = 0; i < 50; i++) {
      const connection = await rawConnection({ port })
      connection.send('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n')
      connection.reset()
    }
    settle(true)
    expect((await rawRequest({ port, path: '/health/ready' })).status).toBe(200)
  })
})

describe('attachHealth on a TLS server', () => {
  test.each([
    ['https', (tls: { key: string; cert: string }) => createHttpsServer(tls, refuse)],
    [
      'http2 that allows HTTP/1.1',
      (tls: { key: string; cert: string }) =>
        createSecureServer({ ...tls, allowHTTP1: true }, refuse as never),
    ],
  ])('%s', async (_name, make) => {
    const certificate = await selfSigned()
    const server = make(certificate)
    closers.push(() => server.close())
    attachHealth(server, aHealth())
    const port = await listen(server)
    const ask = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { host: 'localhost', port, path, ca: certificate.cert, agent: false as const }
        get(options, (response) => resolve(response.resume().statusCode)).on('error', reject)
      })
    expect(await ask('/health/ready')).toBe(200)
    expect(await ask('/orders')).toBe(401)
  })
})

describe.each([
  ['requests', 'request'],
  ['streams', 'stream'],
] as const)('attachHealth on an HTTP/2 server whose app listens for %s', (_name, event) => {
  test('answers probes on their streams, hides them from the app, and never sends a Connection header', async () => {
    const server = createHttp2Server()
    closers.push(() => server.close())
    const seen: string[] = []
    if (event === 'request') {
      server.on('request', (request, response) => {
        seen.push(request.url)
        response.end('app')
      })
    } else {
      server.on('stream', (stream: ServerHttp2Stream, headers) => {
        seen.push(String(headers[':path']))
        stream.end('app')
      })
    }
    const health = aHealth()
    attachHealth(server, health)
    const session = connect(`http://127.0.0.1:${await listen(server)}`)
    const ask = async (path: string, method = 'GET', body = ''): Promise<[unknown, string, unknown]> => {
      const stream = session.request({ ':path': path, ':method': method }, { endStream: body === '' })
      stream.setEncoding('utf8')
      let text = ''
      stream.on('data', (chunk: string) => {
        text += chunk
      })
      const head = new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve))
      if (body !== '') stream.end(body)
      const ended = new Promise((resolve) => stream.once('close', resolve))
      const headers = await head
      await ended
      return [headers[':status'], text, headers['content-length']]
    }
    expect(await ask('/health/ready')).toEqual([200, '{"status":"ready","checks":{"x":"ready"}}', '41'])
    expect(await ask('/health/ready', 'HEAD')).toEqual([200, '', '41'])
    expect(await ask('/health/ready', 'OPTIONS')).toEqual([200, '', '0'])
    expect((await ask('/health/ready', 'POST', 'x'.repeat(100_000)))[0]).toBe(405)
    expect((await ask('/orders'))[1]).toBe('app')
    expect(seen).toEqual(['/orders'])
    health.beginDrain()
    expect((await ask('/health/ready'))[0]).toBe(503)
    await new Promise<void>((resolve) => session.close(resolve))
  })

  test('a service that asks as a check of its own is told of no peer', async () => {
    const server = createHttp2Server()
    closers.push(() => server.close())
    if (event === 'request') server.on('request', (_request, response) => response.end('app'))
    else server.on('stream', (stream: ServerHttp2Stream) => stream.end('app'))
    attachHealth(server, createHealth({ env: {}, checks: [{ name: 'x', peer: true, run: () => false }] }))
    const session = connect(`http://127.0.0.1:${await listen(server)}`)
    const ask = async (headers: Record<string, string>): Promise<unknown> => {
      const [head] = await once(
        session.request({ ':path': '/health/ready', ...headers }).resume(),
        'response',
      )
      return head[':status']
    }
    expect(await ask({})).toBe(503)
    expect(await ask({ 'x-baldur-health-check': '1' })).toBe(200)
    await new Promise<void>((resolve) => session.close(resolve))
  })

  test('a request whose body never ends is answered, and its stream is free', async () => {
    const server = createHttp2Server()
    closers.push(() => server.close())
    if (event === 'request') server.on('request', (_request, response) => response.end('app'))
    else server.on('stream', (stream: ServerHttp2Stream) => stream.end('app'))
    const open = new Set<unknown>()
    server.on('session', (session) =>
      session.on('stream', (stream: ServerHttp2Stream) => {
        open.add(stream)
        stream.on('close', () => open.delete(stream))
      }),
    )
    attachHealth(server, aHealth())
    const session = connect(`http://127.0.0.1:${await listen(server)}`)
    for (let i = 0; i < 20; i++) {
      const stream = session.request({ ':path': '/health/live', ':method': 'POST' }, { endStream: false })
      stream.on('error', () => undefined)
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      expect(headers[':status']).toBe(405)
      stream.resume()
    }
    await expect.poll(() => open.size).toBe(0)
    await new Promise<void>((resolve) => session.close(resolve))
  })

  test('a prober that resets its stream while it waits breaks nothing', async () => {
    let settle: (value: boolean) => void = () => undefined
    const server = createHttp2Server()
    closers.push(() => server.close())
    if (event === 'request') server.on('request', (_request, response) => response.end('app'))
    else server.on('stream', (stream: ServerHttp2Stream) => stream.end('app'))
    const health = aHealth(() => new Promise<boolean>((resolve) => (settle = resolve)))
    attachHealth(server, health)
    const session = connect(`http://127.0.0.1:${await listen(server)}`)
    const waiting = session.request({ ':path': '/health/ready' })
    await expect.poll(() => health.phase).toBe('started')
    const gone = new Promise((resolve) => waiting.once('close', resolve))
    waiting.on('error', () => undefined)
    waiting.close(constants.NGHTTP2_INTERNAL_ERROR)
    await gone
    settle(true)
    const next = session.request({ ':path': '/health/ready' })
    const headers = await new Promise<Record<string, unknown>>((resolve) => next.once('response', resolve))
    expect(headers[':status']).toBe(200)
    next.resume()
    await new Promise<void>((resolve) => session.close(resolve))
  })
})
