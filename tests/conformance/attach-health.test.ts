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
import { attachHealth } from '@baldur/health-core/node'
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
