import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  createSecureServer,
  type Http2Server,
} from 'node:http2'
import { Agent, createServer as createHttpsServer, get as getHttps } from 'node:https'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { freePort, rawConnection, selfSigned } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { createDrain } from './create-drain.ts'
import type { Drain } from './drain.ts'
import type { DrainOptions, LongLived } from './options.ts'
import { drainUnderTest, endServices, get } from './testing/drain-under-test.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await endServices()
})

const QUICK = {
  shutdownDelayMs: 400,
  settleMs: 100,
  lingerMs: 150,
  requestTimeoutMs: 1_500,
  hookTimeoutMs: 300,
  env: {},
}
const listen = async (server: {
  listen(port: number, host: string): unknown
  address(): unknown
}): Promise<number> => {
  await once(server.listen(0, '127.0.0.1') as never, 'listening')
  return (server.address() as AddressInfo).port
}

describe('HTTPS', () => {
  test('idle connections, silent ones and half-done handshakes end, and a request under way ends well', async () => {
    const certificate = await selfSigned()
    const { drain, port } = await drainUnderTest(
      async (_request, response) => {
        await wait(700)
        response.end('done')
      },
      {},
      (listener) => createHttpsServer(certificate, listener),
    )
    const half = await Promise.all(Array.from({ length: 5 }, () => rawConnection({ port })))
    // the first bytes of a ClientHello
    for (const connection of half.slice(2)) connection.send(Buffer.from([0x16, 3, 1, 2, 0, 1, 0]))
    const secure = (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connectTls({ port, host: 'localhost', ca: certificate.cert }, () => resolve(socket))
        socket.on('error', () => undefined)
      })
    const silent = await Promise.all([secure(), secure()])
    const agent = new Agent({ keepAlive: true })
    closers.push(() => agent.destroy())
    const answered = new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      getHttps({ host: 'localhost', port, ca: certificate.cert, agent }, (response) => {
        resolve([response.resume().statusCode, response.headers.connection])
      }).on('error', reject)
    })
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const { isClean, durationMs } = await drain.start()
    expect(await answered).toEqual([200, 'close'])
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(1_400)
    expect(drain.stats().connections).toBe(0)
    for (const connection of half) expect(await connection.closed()).not.toBe(undefined)
    for (const socket of silent) if (!socket.destroyed) await once(socket.resume(), 'close')
  })

  test('connections of one client port to two servers are not taken for each other', async () => {
    const certificate = await selfSigned()
    const answerLate = (_request: unknown, response: { end(text: string): unknown }) =>
      void setTimeout(() => response.end('done'), 900)
    const [secure, plain] = [createHttpsServer(certificate, answerLate), createServer(answerLate)]
    const drain = createDrain({ server: [secure, plain], ...QUICK })
    const [securePort, plainPort] = [await listen(secure), await listen(plain)]
    const localPort = await freePort()
    const raw = connectTcp({ port: securePort, host: '127.0.0.1', localPort })
    await once(raw, 'connect')
    const other = connectTcp({
      port: plainPort,
      host: '127.0.0.1',
      localPort,
    })
    await once(other, 'connect')
    await expect.poll(() => drain.stats().connections).toBe(2)
    const socket = connectTls({ socket: raw, ca: certificate.cert, servername: 'localhost' })
    closers.push(
      () => socket.destroy(),
      () => other.destroy(),
    )
    socket.setEncoding('utf8').write(get('/'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
    expect(await ended).toMatchObject({ isClean: true })
  })
})

describe('HTTP/2', () => {
  const service = async (server: Http2Server, options: DrainOptions = {}) => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const drain = createDrain({ server, ...QUICK, logger, ...options })
    closers.push(
      () => server.close(),
      () => drain.close(),
    )
    return { drain, port: await listen(server), lines }
  }
  const ask = async (session: ReturnType<typeof connectHttp2>, path: string) => {
    const stream = session.request({ ':path': path })
    let body = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    await once(stream, 'close')
    return { status: headers[':status'], connection: headers.connection, body }
  }

  test.each(['request', 'stream'])(
    'clients get GOAWAY at the end of the delay, a running stream ends, idle sessions close (app listens for %ss)',
    async (event) => {
      const server = createHttp2Server()
      if (event === 'request') {
        server.on('request', (request, response) => {
          setTimeout(() => response.end('done'), request.url === '/slow' ? 900 : 0)
        })
      } else {
        server.on('stream', (stream, headers) => {
          setTimeout(
            () => (stream.respond({ ':status': 200 }) as unknown) ?? stream.end('done'),
            headers[':path'] === '/slow' ? 900 : 0,
          )
        })
      }
      const { drain, port } = await service(server, { lingerMs: 1_000 })
      const [busy, idle] = [
        connectHttp2(`http://127.0.0.1:${port}`),
        connectHttp2(`http://127.0.0.1:${port}`),
      ]
      closers.push(
        () => busy.destroy(),
        () => idle.destroy(),
      )
      expect(await ask(idle, '/')).toEqual({ status: 200, connection: undefined, body: 'done' })
      const slow = ask(busy, '/slow')
      await expect.poll(() => drain.stats().inFlight).toBe(1)
      const goaways: number[] = []
      const began = performance.now()
      for (const session of [busy, idle]) session.on('goaway', () => goaways.push(performance.now() - began))
      const idleClosed = once(idle, 'close').then(() => performance.now() - began)
      const ended = drain.start()
      expect(await ask(idle, '/')).toMatchObject({ status: 200, connection: undefined })
      expect(await idleClosed).toBeLessThan(400 + 1_000 + 500)
      expect(goaways.length).toBeGreaterThanOrEqual(2)
      expect(Math.min(...goaways)).toBeGreaterThan(380)
      // sooner than the sessions are closed
      expect(Math.min(...goaways)).toBeLessThan(400 + 900)
      expect(await slow).toEqual({ status: 200, connection: undefined, body: 'done' })
      const { isClean, durationMs } = await ended
      expect(isClean).toBe(true)
      expect(durationMs).toBeLessThan(1_500)
    },
  )

  test('an upload that was answered early is read to its end by the app', async () => {
    let got = 0
    const server = createHttp2Server((request, response) => {
      request.on('data', (chunk: Buffer) => (got += chunk.length))
      response.writeHead(202).end('taken')
    })
    const { drain, port } = await service(server, { requestTimeoutMs: 5_000 })
    const session = connectHttp2(`http://127.0.0.1:${port}`)
    closers.push(() => session.destroy())
    const upload = session.request({ ':path': '/', ':method': 'POST' })
    upload.write(Buffer.alloc(100))
    await once(upload, 'response')
    upload.resume()
    const ended = drain.start()
    for (let i = 0; i < 19; i++) {
      await wait(100)
      upload.write(Buffer.alloc(100))
    }
    upload.end()
    expect(await ended).toMatchObject({ isClean: true })
    expect(got).toBe(2_000)
  })

  test('a stream that never ends is aborted and named', async () => {
    const server = createHttp2Server(() => undefined)
    const { drain, port, lines } = await service(server, { requestTimeoutMs: 300 })
    const session = connectHttp2(`http://127.0.0.1:${port}`)
    session.on('error', () => undefined)
    closers.push(() => session.destroy())
    const stream = session.request({ ':path': '/x?token=secret', ':method': 'POST' })
    stream.on('error', () => undefined)
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    expect(await drain.start()).toMatchObject({ isClean: false, aborted: ['POST /x'] })
    expect(lines.join()).not.toContain('secret')
    if (!session.destroyed) await once(session, 'close')
  })

  /** A client that says what has to be said, and then neither reads nor ends. */
  const asleep = (port: number, ...requests: readonly Buffer[]): Socket => {
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
    const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true }).pause()
    closers.push(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings, ...requests]))
    return socket
  }
  // stream 1: GET http://x/
  const GET_ROOT = Buffer.from([0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 1, 0x78])

  test('clients that sleep do not hold it: idle, answered, or with a stream of events', async () => {
    const server = createHttp2Server()
    let count = 0
    server.on('stream', (stream) => {
      const isFirst = count++ === 0
      stream.respond({ ':status': 200, 'content-type': isFirst ? 'text/plain' : 'text/event-stream' })
      if (isFirst) stream.end('done')
      else stream.write('data: 1\n\n')
    })
    const { drain, port } = await service(server, { requestTimeoutMs: 10_000 })
    asleep(port)
    asleep(port, GET_ROOT)
    await expect.poll(() => count).toBe(1)
    asleep(port, GET_ROOT)
    await expect.poll(() => drain.stats()).toMatchObject({ inFlight: 1, connections: 3 })
    const { isClean, durationMs } = await drain.start()
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 150 + 2_000)
  })

  test('one that wakes up gets its whole answer, however much of it waited', async () => {
    const server = createHttp2Server()
    const whole = 32 * 1024 * 1024
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(whole, 'x'))
    })
    const { drain, port } = await service(server, { requestTimeoutMs: 8_000 })
    const [wideStreams, wideSession] = [
      Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff]),
      Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7f, 0xff, 0, 0]),
    ]
    const client = asleep(port, wideStreams, wideSession, GET_ROOT)
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    await wait(2_000)
    let got = 0
    client.on('data', (chunk: Buffer) => (got += chunk.length)).on('end', () => client.end())
    client.resume()
    await once(client, 'end')
    expect(got).toBeGreaterThan(whole)
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('over TLS, with HTTP/1.1 allowed, both kinds of client are let go', async () => {
    const certificate = await selfSigned()
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (_request, response) => {
      setTimeout(() => response.end('done'), 50)
    })
    const { drain, port } = await service(server as unknown as Http2Server)
    const session = connectHttp2(`https://localhost:${port}`, { ca: certificate.cert })
    closers.push(() => session.destroy())
    expect(await ask(session, '/')).toMatchObject({ status: 200, body: 'done' })
    const agent = new Agent({ keepAlive: true })
    const old = (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        getHttps({ host: 'localhost', port, ca: certificate.cert, agent }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection))
        }).on('error', reject)
      })
    expect(await old()).toBe('keep-alive')
    const ended = drain.start()
    expect(await old()).toBe('close')
    expect(await ended).toMatchObject({ isClean: true })
    if (!session.destroyed) await once(session, 'close')
    expect(drain.stats().connections).toBe(0)
  })
})

describe('what goes on for ever', () => {
  const chat = async (options: DrainOptions = {}) => {
    const made = await drainUnderTest((request, response) => {
      if (request.url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      } else setTimeout(() => response.end('done'), 600)
    }, options)
    const sockets: Socket[] = []
    made.server.on('upgrade', (_request, socket) => {
      sockets.push(socket as Socket)
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n')
    })
    const upgrade = get('/chat?token=secret', 'Connection: Upgrade\r\nUpgrade: chat\r\n')
    const open = async () => {
      const socket = connectTcp(made.port, '127.0.0.1')
      closers.push(() => socket.destroy())
      socket.setEncoding('utf8').write(upgrade)
      await once(socket, 'data')
      return socket
    }
    return { ...made, open, upgrade }
  }

  test('an upgraded connection and a stream of events are told first, then closed; a plain request waits for neither', async () => {
    const told: string[] = []
    const onUpgraded = async ({ request, socket, response }: LongLived) => {
      told.push(request.url ?? '')
      socket?.write('bye')
      response?.write('event: bye\n\n')
    }
    const { drain, connect, open } = await chat({ onUpgraded })
    const upgraded = await open()
    const events = await connect()
    events.send(get('/events', 'Accept: text/event-stream\r\n'))
    const plain = await connect()
    plain.send(get('/'))
    await expect.poll(() => drain.stats().inFlight).toBe(2)
    let heard = ''
    upgraded.on('data', (text: string) => {
      heard += text
    })
    const closed = once(upgraded, 'end')
    const ended = drain.start()
    expect((await plain.read()).body).toBe('done')
    await closed
    expect(heard).toBe('bye')
    expect((await events.read()).body).toBe('data: 1\n\nevent: bye\n\n')
    expect(told.sort()).toEqual(['/chat?token=secret', '/events'])
    const { isClean, durationMs } = await ended
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 1_000)
  })

  test('an upgrade that has no answer yet is a request: it is waited for, then told and closed', async () => {
    const told: LongLived[] = []
    const { drain, server, port, upgrade } = await chat({ onUpgraded: (open) => void told.push(open) })
    server.removeAllListeners('upgrade')
    server.on('upgrade', async (_request, socket) => {
      await wait(900)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n')
    })
    const socket = connectTcp(port, '127.0.0.1')
    closers.push(() => socket.destroy())
    socket.setEncoding('utf8').write(upgrade)
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    expect(String((await once(socket, 'data'))[0])).toContain('101 Switching')
    expect(drain.stats().inFlight).toBe(0)
    expect(await ended).toMatchObject({ isClean: true })
    expect(told).toHaveLength(1)
  })

  test('an upgrade that is refused is answered, though its client does not end its side', async () => {
    const { drain, server, port, upgrade } = await chat()
    server.removeAllListeners('upgrade')
    server.on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    })
    const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true })
    closers.push(() => socket.destroy())
    socket.setEncoding('utf8').write(upgrade)
    expect(String((await once(socket, 'data'))[0])).toContain('401')
    expect(drain.stats().inFlight).toBe(0)
    const { isClean, durationMs } = await drain.start()
    expect([isClean, durationMs < 1_400]).toEqual([true, true])
  })

  test('an upgrade that never gets its answer is aborted and named', async () => {
    const { drain, server, port, upgrade } = await chat({ requestTimeoutMs: 300 })
    server.removeAllListeners('upgrade')
    server.on('upgrade', (_request, socket) => socket.on('error', () => undefined))
    const socket = connectTcp(port, '127.0.0.1')
    closers.push(() => socket.destroy())
    socket.on('error', () => undefined).write(upgrade)
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    expect(await drain.start()).toMatchObject({ isClean: false, aborted: ['GET /chat'] })
  })

  test('an upgrade that is given back to the parser, again and again, leaves a connection like any other', async () => {
    const { drain, server, port, upgrade, connect } = await chat()
    server.removeAllListeners('upgrade')
    const sockets = new Set<Socket>()
    server.on('upgrade', (_request, socket: Socket) => {
      sockets.add(socket)
      socket.unshift(Buffer.from(get('/given-back')))
      server.emit('connection', socket)
    })
    const connection = await rawConnection({ port })
    const listeners: (number | undefined)[] = []
    for (let round = 0; round < 3; round++) {
      connection.send(upgrade)
      expect((await connection.read()).body).toBe('done')
      listeners.push([...sockets][0]?.listenerCount('close'))
    }
    expect(sockets.size).toBe(1)
    expect(listeners[2]).toBe(listeners[0])
    const other = await connect()
    connection.send(get('/slow'))
    other.send(get('/slow'))
    await expect.poll(() => drain.stats().inFlight).toBe(2)
    const report = drain.start()
    expect((await connection.read()).body).toBe('done')
    expect((await other.read()).body).toBe('done')
    expect(await report).toMatchObject({ isClean: true, aborted: [] })
  })

  test('a request that would take a stream of events, and is answered otherwise, is a request like any other', async () => {
    const { drain, connect } = await drainUnderTest(async (_request, response) => {
      await wait(900)
      response.end('paid')
    })
    const client = await connect()
    client.send(get('/pay', 'Accept: application/json, text/event-stream\r\n'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    expect((await client.read()).body).toBe('paid')
    expect(await ended).toMatchObject({ isClean: true, aborted: [] })
  })

  test('an answer that only speaks of streams of events in another header is one like any other', async () => {
    const { drain, connect } = await drainUnderTest(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', link: '<x>; type="text/event-stream"' })
      response.write('{"orders":[')
      await wait(900)
      response.end(']}')
    })
    const client = await connect()
    client.send(get('/'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    expect((await client.read()).body).toBe('{"orders":[]}')
    expect(await ended).toMatchObject({ isClean: true, aborted: [] })
  })

  test('a stream of events whose client sleeps, and whose app goes on writing, neither crashes nor holds the drain', async () => {
    const { drain, port } = await drainUnderTest((_request, response) => {
      response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' })
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 10)
      response.once('close', () => clearInterval(timer))
    })
    const asleep = connectTcp(port, '127.0.0.1').pause()
    closers.push(() => asleep.destroy())
    asleep.on('error', () => undefined).write(get('/events'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const { isClean, durationMs } = await drain.start()
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 1_200)
  })

  test('one that is opened after the listener has closed is told too', async () => {
    const told: string[] = []
    const { drain, connect, server } = await chat({
      onUpgraded: ({ request }) => void told.push(request.url ?? ''),
      lingerMs: 500,
    })
    const events = await connect()
    events.send(get('/'))
    await events.read()
    const ended = drain.start()
    await expect.poll(() => server.listening).toBe(false)
    events.send(get('/events'))
    await events.read()
    expect(await ended).toMatchObject({ isClean: true })
    expect(told).toEqual(['/events'])
  })

  test('a stream of events over HTTP/2 is told and ended', async () => {
    const server = createHttp2Server()
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
      stream.write('data: 1\n\n')
    })
    const told: LongLived[] = []
    const drain = createDrain({ server, ...QUICK, onUpgraded: (open) => void told.push(open) })
    closers.push(() => server.close())
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`)
    closers.push(() => session.destroy())
    const stream = session.request({ ':path': '/events' })
    await once(stream, 'data')
    expect(await drain.start()).toMatchObject({ isClean: true, aborted: [] })
    expect(told.map(({ request, stream: told }) => [request.url, told !== undefined])).toEqual([
      ['/events', true],
    ])
  })

  test('a word that never ends is bounded, one that fails is told, and a client that ignores its end is cut', async () => {
    let count = 0
    const onUpgraded = () => {
      count += 1
      if (count === 1) throw new Error('no')
      return new Promise<void>(() => undefined)
    }
    const { drain, open, lines } = await chat({ onUpgraded })
    const sockets = [await open(), await open()]
    const { isClean, durationMs } = await drain.start()
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 300 + 300 + 300 + 300)
    expect(lines.join()).toContain('onUpgraded failed: Error: no')
    for (const socket of sockets) if (!socket.destroyed) await once(socket.resume(), 'close')
  })

  test('a new upgrade during the drain gets 503, also in the part in which answers keep their connections', async () => {
    const { drain, port, upgrade } = await chat()
    const ended = drain.start()
    for (const delay of [0, 330]) {
      await wait(delay)
      const connection = await rawConnection({ port })
      connection.send(upgrade)
      const answer = await connection.read()
      expect([answer.status, answer.header('connection'), answer.header('retry-after')]).toEqual([
        503,
        'close',
        '1',
      ])
      expect(await connection.closed()).toBe('end')
    }
    await ended
  })
})

describe('a Unix socket', () => {
  test.each(['http', 'http2'])('silent, half-done and idle connections end as ever (%s)', async (kind) => {
    const dir = await mkdtemp(join(tmpdir(), 'drain-'))
    const path = join(dir, 's')
    const answer = (_request: unknown, response: { end(text: string): unknown }) => response.end('hello')
    const server = kind === 'http' ? createServer(answer) : createHttp2Server(answer)
    const drain = createDrain({ server, ...QUICK, requestTimeoutMs: 5_000 })
    closers.push(
      () => server.close(),
      () => rm(dir, { recursive: true }),
    )
    await once(server.listen(path), 'listening')
    const sockets = await Promise.all(
      ['', 'GET / HT', kind === 'http' ? get('/') : ''].map(async (text) => {
        const socket = connectTcp(path)
        await once(socket, 'connect')
        socket
          .on('error', () => undefined)
          .resume()
          .write(text)
        return socket
      }),
    )
    closers.push(() => {
      for (const socket of sockets) socket.destroy()
    })
    const session =
      kind === 'http' ? undefined : connectHttp2('http://x', { createConnection: () => connectTcp(path) })
    session?.on('error', () => undefined)
    if (session !== undefined) await once(session, 'remoteSettings')
    const { isClean, durationMs } = await drain.start()
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 1_000)
  })
})

describe('several servers, and none', () => {
  test('all of them stop, after one delay', async () => {
    const one = await drainUnderTest((_request, response) => response.end('one'))
    const other = await drainUnderTest((_request, response) => response.end('other'))
    one.drain.close()
    other.drain.close()
    const drain = createDrain({ server: [one.server, other.server], ...QUICK })
    const ended = drain.start()
    expect((await other.ask('/')).header('connection')).toBe('close')
    const { durationMs } = await ended
    expect([one.server.listening, other.server.listening]).toEqual([false, false])
    expect(durationMs).toBeLessThan(1_000)
  })

  test('one that is watched, or begins to listen, while or after others close is closed too', async () => {
    const one = await drainUnderTest((_request, response) => response.end('one'), { requestTimeoutMs: 3_000 })
    const [late, later] = [createServer(), createServer()]
    closers.push(
      () => late.close(),
      () => later.close(),
    )
    one.drain.watch(late)
    await listen(later)
    let finish: () => void = () => undefined
    void one.drain.track(new Promise<void>((resolve) => (finish = resolve)))
    const ended = one.drain.start()
    await expect.poll(() => one.server.listening).toBe(false)
    one.drain.watch(later)
    await listen(late)
    // its own listeners find their address, also those that look it up first
    await wait(20)
    expect(late.address()).not.toBe(null)
    await expect.poll(() => [late.listening, later.listening]).toEqual([false, false])
    finish()
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('with no server there is no balancer to wait for', async () => {
    const drain = createDrain({ env: {} })
    let finish: () => void = () => undefined
    void drain.track(new Promise<void>((resolve) => (finish = resolve)), 'job')
    const ended = drain.start()
    setTimeout(finish, 100)
    const { isClean, durationMs } = await ended
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(1_000)
  })

  test.each([
    ['an option', { shutdownDelayMs: 300, env: {} }],
    ['a variable', { env: { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '0.3' } }],
  ])('unless %s asks for the delay', async (_what, options) => {
    const drain = createDrain(options)
    expect(drain.explain()).toContain('0.3 s  the delay is over')
    const { durationMs } = await drain.start()
    expect(durationMs).toBeGreaterThanOrEqual(299)
  })
})

describe('options', () => {
  test('everything that is wrong is told at once', () => {
    const wrong = {
      server: {},
      preset: 'k8s',
      shutdownDelayMs: '5s',
      shutdownDelay: 5,
      lateRequests: 'drop',
      exempt: ['metrics'],
      retryAfterSeconds: -1,
      onUpgraded: true,
      health: {},
      logger: {},
      env: { BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: 'soon' },
    }
    expect(() => createDrain(wrong as never)).toThrow(
      /shutdownDelay: expected one of .*did you mean shutdownDelayMs[\s\S]*logger: [\s\S]*BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: expected 0 to 300 seconds[\s\S]*preset: expected 'kubernetes' or [\s\S]*shutdownDelayMs: expected 0 to 300000 milliseconds, got "5s"[\s\S]*lateRequests: [\s\S]*exempt: [\s\S]*retryAfterSeconds: [\s\S]*onUpgraded: [\s\S]*server: [\s\S]*health: /,
    )
  })

  test('variables count where options are silent, and a sum that does not fit names them', () => {
    const env = { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '2.5', BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '20' }
    const server = createServer()
    expect(createDrain({ env, server }).explain()).toContain('2.5 s  the listener closes')
    expect(createDrain({ env, server, shutdownDelayMs: 1_000 }).explain()).toContain(
      '1 s  the listener closes',
    )
    const tooMuch = { ...env, BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS: '30' }
    expect(() => createDrain({ env: tooMuch })).toThrow(
      /BALDUR_DRAIN_GRACE_PERIOD_SECONDS: expected at least what the drain takes: .*BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS 30000 = \d+ milliseconds, got 20000 milliseconds/,
    )
  })

  test('the error names the variable that does not fit', () => {
    const env = { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '25' }
    expect(() => createDrain({ env })).toThrow(
      /BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS 25000 \+ hookTimeoutMs 3000/,
    )
  })

  test.each<[string, (drain: Drain) => unknown, RegExp]>([
    [
      'nothing to track',
      (drain) => drain.track(undefined as never),
      /track: expected a promise, or the response of a request, got undefined/,
    ],
    ['something else to track', (drain) => drain.track({} as never), /track: expected a promise/],
    [
      'a typo of a hook',
      (drain) => drain.onShutdown('x', () => undefined, { timeout: 5 } as never),
      /onShutdown\.timeout: .*did you mean timeoutMs/,
    ],
    [
      'a hook after a number',
      (drain) => drain.onShutdown('x', () => undefined, { after: 5 } as never),
      /onShutdown\.after: expected a name/,
    ],
    [
      'a hook with null',
      (drain) => drain.onShutdown('x', () => undefined, null as never),
      /onShutdown\.options: expected an object, got null/,
    ],
  ])('refuses %s', (_what, use, message) => {
    expect(() => use(createDrain({ env: {} }))).toThrow(message)
  })

  test('what is watched has to be a server, and a time to end in a number', () => {
    const drain = createDrain({ env: {} })
    expect(() => drain.watch(5 as never)).toThrow(/watch: expected a server of node:http/)
    for (const withinMs of [Number.NaN, -1, null, '5s']) {
      expect(() => drain.start('x', { withinMs } as never)).toThrow(/start\.withinMs: expected 0 or more/)
    }
    expect(() => drain.start('x', null as never)).toThrow(/start\.options: expected an object/)
    expect(() => drain.start('x', { within: 5 } as never)).toThrow(/start\.within/)
    expect(drain.phase).toBe('started')
  })

  test('a hook needs a name of its own, a function and a time within that of all', () => {
    const drain = createDrain({ env: {} })
    drain.onShutdown('pool', () => undefined)
    expect(() => drain.onShutdown('pool', 5 as never, { timeoutMs: 5_000 })).toThrow(
      /"pool" twice[\s\S]*onShutdown\.run[\s\S]*0 to hookTimeoutMs \(3000\) milliseconds/,
    )
  })
})
