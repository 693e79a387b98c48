import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { jumpingClock, rawConnection, rawRequest } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { createDrain } from './create-drain.ts'
import { drainUnderTest, endServices, get } from './testing/drain-under-test.ts'

afterEach(endServices)

const hello = (_request: unknown, response: ServerResponse): void => void response.end('hello')
const keepAlive = { connection: 'keep-alive' }
/** So long that only a clock that jumps brings the next part. */
const SLOW = {
  ...{ shutdownDelayMs: 60_000, settleMs: 10_000, lingerMs: 20_000, requestTimeoutMs: 60_000 },
  gracePeriodMs: 150_000,
}

describe('from the start until the end of the delay', () => {
  test('readiness is 503 at once, liveness and ping 200, and requests on new connections are served until the listener closes', async () => {
    const clock = jumpingClock()
    const { drain, ask, port, server } = await drainUnderTest(hello, { ...SLOW, clock })
    expect((await ask('/health/ready')).status).toBe(200)
    const ended = drain.start('test')
    const ready = await ask('/health/ready')
    expect([ready.status, JSON.parse(ready.body).status, ready.header('retry-after')]).toEqual([
      503,
      'draining',
      '1',
    ])
    expect(drain.phase).toBe('draining')
    for (const path of ['/health/live', '/health/ping', '/']) expect((await ask(path)).status).toBe(200)
    clock.jump(SLOW.shutdownDelayMs - 1_000)
    for (let i = 0; i < 20; i++) {
      const { status, body } = await ask('/')
      expect([status, body]).toEqual([200, 'hello'])
    }
    clock.jump(1_000)
    await expect.poll(() => server.listening).toBe(false)
    await expect(rawRequest({ port })).rejects.toThrow(/ECONNREFUSED/)
    expect(await ended).toMatchObject({ reason: 'test', isClean: true, aborted: [], failedHooks: [] })
    expect(drain.phase).toBe('terminated')
  })

  test('answers say Connection: close, also those that are under way, but for the last part of the delay', async () => {
    const open: ServerResponse[] = []
    const clock = jumpingClock()
    const app: RequestListener = (request, response) => {
      if (request.url === '/hold') open.push(response)
      else response.end('hello')
    }
    const { drain, ask, connect } = await drainUnderTest(app, { ...SLOW, clock })
    expect((await ask('/', { headers: keepAlive })).header('connection')).toBe('keep-alive')
    const held = await connect()
    held.send(get('/hold'))
    await expect.poll(() => open.length).toBe(1)
    const ended = drain.start()
    for (const path of ['/', '/health/live', '/health/startup']) {
      expect([path, (await ask(path, { headers: keepAlive })).header('connection')]).toEqual([path, 'close'])
    }
    open[0]?.end('done')
    const answer = await held.read()
    expect([answer.body, answer.header('connection')]).toEqual(['done', 'close'])
    expect(await held.closed()).toBe('end')
    clock.jump(SLOW.shutdownDelayMs - SLOW.settleMs)
    const connection = async () => (await ask('/', { headers: keepAlive })).header('connection')
    await expect.poll(connection).toBe('keep-alive')
    clock.jump(SLOW.settleMs)
    await ended
  })

  test('whatever the app or a proxy says of the connection, and in whatever form', async () => {
    const forms: Record<string, (response: ServerResponse) => void> = {
      '/setHeader': (response) => response.setHeader('Connection', 'keep-alive'),
      '/object': (response) => response.writeHead(200, { connection: 'keep-alive', 'x-a': 'b' }),
      '/reason': (response) => response.writeHead(200, 'Fine', { Connection: 'keep-alive', 'x-a': 'b' }),
      '/array': (response) => response.writeHead(200, ['CONNECTION', 'keep-alive', 'x-a', 'b']),
    }
    const { drain, ask } = await drainUnderTest((request, response) => {
      forms[request.url ?? '']?.(response)
      response.end('x')
    })
    const ended = drain.start()
    for (const path of Object.keys(forms)) {
      const { header, rawHeaders } = await ask(path, { headers: keepAlive })
      expect([path, header('connection')]).toEqual([path, 'close'])
      if (path !== '/setHeader') expect(header('x-a')).toBe('b')
      expect(rawHeaders.filter(([name]) => /^keep-alive$/i.test(name))).toEqual([])
    }
    await ended
  })

  test('readiness turns after a delay of its own', async () => {
    const clock = jumpingClock()
    const { drain, ask } = await drainUnderTest(hello, { ...SLOW, readinessDelayMs: 20_000, clock })
    const ended = drain.start()
    expect((await ask('/health/ready')).status).toBe(200)
    expect(drain.phase).toBe('draining')
    clock.jump(20_000)
    await expect.poll(async () => (await ask('/health/ready')).status).toBe(503)
    clock.jump(SLOW.shutdownDelayMs)
    await ended
  })

  test('the draining answer counts requests in flight, and no probes', async () => {
    const open: ServerResponse[] = []
    const { drain, ask, connect } = await drainUnderTest((_request, response) => open.push(response))
    for (let i = 0; i < 2; i++) (await connect()).send(get('/'))
    await expect.poll(() => open.length).toBe(2)
    const ended = drain.start()
    const probes = await Promise.all(Array.from({ length: 5 }, () => ask('/health/ready')))
    for (const { body } of probes) expect(JSON.parse(body).in_flight).toBe(2)
    expect(drain.stats()).toMatchObject({ inFlight: 2 })
    for (const response of open) response.end()
    await expect.poll(async () => JSON.parse((await ask('/health/ready')).body).in_flight).toBe(0)
    await ended
  })
})

describe('after the listener has closed', () => {
  test('a request on an open connection is served and the connection closed', async () => {
    const { drain, connect, server } = await drainUnderTest(hello, { lingerMs: 400 })
    const open = await connect()
    open.send(get('/'))
    await open.read()
    const ended = drain.start()
    await expect.poll(() => server.listening).toBe(false)
    open.send(get('/'))
    const late = await open.read()
    expect([late.status, late.body, late.header('connection')]).toEqual([200, 'hello', 'close'])
    expect(await open.closed()).toBe('end')
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('idle connections get their end, never a reset; so do silent ones and half a request, and the drain ends', async () => {
    const { drain, connect } = await drainUnderTest(hello)
    const idle = await Promise.all(Array.from({ length: 20 }, connect))
    for (const connection of idle) {
      connection.send(get('/'))
      await connection.read()
    }
    const silent = await Promise.all(Array.from({ length: 5 }, connect))
    const half = await Promise.all(Array.from({ length: 5 }, connect))
    for (const connection of half) connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Le')
    const { isClean, durationMs } = await drain.start()
    expect(isClean).toBe(true)
    expect(durationMs).toBeLessThan(400 + 1_000)
    for (const connection of [...idle, ...silent, ...half]) expect(await connection.closed()).toBe('end')
  })

  test('half a request that goes on is waited for', async () => {
    const { drain, connect, server } = await drainUnderTest(hello)
    const slow = await connect()
    const ended = drain.start()
    slow.send('GET / HTTP/1.1\r\n')
    await expect.poll(() => server.listening).toBe(false)
    for (let i = 0; i < 4; i++) {
      await wait(150)
      slow.send(`X-${i}: y\r\n`)
    }
    slow.send('Host: x\r\n\r\n')
    expect((await slow.read()).body).toBe('hello')
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('a request under way ends, with its body, and an upload too', async () => {
    const { drain, connect, server } = await drainUnderTest(async (request, response) => {
      let size = 0
      for await (const chunk of request) size += (chunk as Buffer).length
      response.write('got ')
      await wait(300)
      response.end(String(size))
    })
    const upload = await connect()
    upload.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const ended = drain.start()
    await expect.poll(() => server.listening).toBe(false)
    await wait(300)
    upload.send('67890')
    expect((await upload.read()).body).toBe('got 10')
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('what does not end is aborted, counted, and named without its query', async () => {
    const { drain, connect, lines } = await drainUnderTest(() => undefined, { requestTimeoutMs: 300 })
    const open = await connect()
    open.send(get('/orders/7?token=secret'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    const result = await drain.start()
    expect(result).toMatchObject({ isClean: false, aborted: ['GET /orders/7'] })
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([
      'error: drain: aborted 1 still running after 300 ms: GET /orders/7',
    ])
    expect(drain.stats()).toMatchObject({ inFlight: 0, aborted: 1 })
    await open.closed()
  })

  test('clients that abort are not counted for ever, pipelined ones neither', async () => {
    const open: ServerResponse[] = []
    const { drain, connect } = await drainUnderTest((_request, response) => open.push(response))
    const clients = await Promise.all(Array.from({ length: 100 }, connect))
    for (const [index, client] of clients.entries()) client.send(get('/').repeat(index % 2 === 0 ? 1 : 15))
    await expect.poll(() => open.length).toBe(50 + 50 * 15)
    expect(drain.stats().inFlight).toBe(800)
    for (const [index, client] of clients.entries()) {
      if (index % 3 === 0) open[index]?.write('begun')
      client.reset()
    }
    await expect.poll(() => drain.stats()).toMatchObject({ inFlight: 0, connections: 0 })
    expect(await drain.start()).toMatchObject({ isClean: true })
  })
})

describe('what comes by middleware', () => {
  test('after its client has left is not counted', async () => {
    const { drain, server, connect } = await drainUnderTest(() => undefined)
    drain.close()
    const [client, got] = [await connect(), once(server, 'request')]
    client.send(get('/'))
    const [request, response] = (await got) as [IncomingMessage, ServerResponse]
    const closed = once(response, 'close')
    client.reset()
    await closed
    expect(drain.admit(request, response)).toBe(true)
    expect(drain.track(response)).toBe(response)
    expect(drain.stats()).toMatchObject({ inFlight: 0, connections: 0 })
  })
})

describe('pipelined requests', () => {
  test('all have their answer, and the last one says close', async () => {
    const open: ServerResponse[] = []
    const { drain, connect } = await drainUnderTest((_request, response) => open.push(response))
    const client = await connect()
    client.send(get('/1') + get('/2') + get('/3'))
    await expect.poll(() => open.length).toBe(3)
    const ended = drain.start()
    for (const [index, response] of open.entries()) response.end(String(index))
    const answers = [await client.read(), await client.read(), await client.read()]
    expect(answers.map(({ body, header }) => [body, header('connection')])).toEqual([
      ['0', 'keep-alive'],
      ['1', 'keep-alive'],
      ['2', 'close'],
    ])
    expect(await client.closed()).toBe('end')
    await ended
  })

  test('one behind an answer that said close is not half-served: it never reaches the app', async () => {
    const open: ServerResponse[] = []
    const { drain, connect } = await drainUnderTest((_request, response) => open.push(response))
    const client = await connect()
    client.send(get('/1'))
    await expect.poll(() => open.length).toBe(1)
    const ended = drain.start()
    open[0]?.write('begun ')
    client.send(get('/2'))
    await wait(100)
    expect(open).toHaveLength(1)
    open[0]?.end('and done')
    expect((await client.read()).body).toBe('begun and done')
    expect(await client.closed()).toBe('end')
    expect(await ended).toMatchObject({ isClean: true })
  })
})

describe('late requests that are rejected', () => {
  test('with a delay of 0 from the start, but for liveness, ping and what is exempt', async () => {
    const options = { shutdownDelayMs: 0, settleMs: 0, lingerMs: 400, exempt: ['/metrics'] }
    const { drain, connect, lines } = await drainUnderTest(hello, options)
    const open = async () => {
      const connection = await connect()
      connection.send(get('/'))
      await connection.read()
      return connection
    }
    const connections = await Promise.all(Array.from({ length: 6 }, open))
    const ended = drain.start()
    const paths = ['/', '/orders?x=1', '/health/ready', '/health/live', '/health/ping/', '/metrics?x']
    const got: unknown[] = []
    for (const [index, path] of paths.entries()) {
      connections[index]?.send(get(path))
      const answer = await connections[index]?.read()
      got.push([path, answer?.status, answer?.header('connection'), answer?.header('retry-after')])
    }
    expect(got).toEqual([
      ['/', 503, 'close', '1'],
      ['/orders?x=1', 503, 'close', '1'],
      ['/health/ready', 503, 'close', '1'],
      ['/health/live', 200, 'close', undefined],
      ['/health/ping/', 200, 'close', undefined],
      ['/metrics?x', 200, 'close', undefined],
    ])
    expect(await ended).toMatchObject({ isClean: true })
    expect(drain.stats().refused).toBe(3)
    expect(lines.filter((line) => /^(?:warn|error)/.test(line))).toEqual([])
  })

  test('an upload is read past, so that its answer is not lost in a reset', async () => {
    const { drain, connect } = await drainUnderTest(hello, { shutdownDelayMs: 0, settleMs: 0, lingerMs: 400 })
    const connection = await connect()
    connection.send(get('/'))
    await connection.read()
    const ended = drain.start()
    connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(1_000_000)}`)
    await wait(50)
    connection.send('x'.repeat(1_000_000))
    const answer = await connection.read()
    expect([answer.status, JSON.parse(answer.body).status]).toEqual([503, 'draining'])
    expect(await connection.closed()).toBe('end')
    await ended
  })
})

describe('the drain itself', () => {
  test('begins once, whoever asks, and ends while nobody looks', async () => {
    const { drain } = await drainUnderTest(hello)
    const first = drain.start('one')
    expect(drain.start('two')).toBe(first)
    expect((await first).reason).toBe('one')
    expect(drain.start()).toBe(first)
  })

  test('started from inside a request and a hook', async () => {
    const { drain, ask } = await drainUnderTest((_request, response) => {
      void drain.start('asked')
      response.end('going')
    })
    drain.onShutdown('again', () => {
      expect(drain.start()).toBe(drain.start())
    })
    const answer = await ask('/', { headers: keepAlive })
    expect([answer.body, answer.header('connection')]).toEqual(['going', 'close'])
    expect(await drain.start()).toMatchObject({ reason: 'asked', isClean: true })
  })

  test('waits for tracked work, tells workers to take no more, and names what it aborts', async () => {
    const { drain } = await drainUnderTest(hello, { requestTimeoutMs: 400 })
    let finish: (value: string) => void = () => undefined
    const job = drain.track(new Promise<string>((resolve) => (finish = resolve)), 'job 1')
    void drain.track(new Promise(() => undefined), 'job 2')
    drain.signal.addEventListener('abort', () => void setTimeout(finish, 500, 'done'))
    const result = await drain.start()
    expect(await job).toBe('done')
    expect(result).toMatchObject({ isClean: false, aborted: ['job 2'] })
  })

  test('tracked work that fails is told, since its rejection has been listened for', async () => {
    const { drain, lines } = await drainUnderTest(hello)
    void drain.track(Promise.reject(new Error('no')), 'job 1')
    await expect.poll(() => lines.join()).toContain('warn: drain: job 1 failed: Error: no')
    expect(drain.stats().inFlight).toBe(0)
  })

  test('runs hooks that hooks register, and says so of one that comes too late', async () => {
    const { drain, lines } = await drainUnderTest(hello)
    const order: string[] = []
    drain.onShutdown('first', () => {
      order.push('first')
      drain.onShutdown('second', () => order.push('second'))
    })
    await drain.start()
    drain.onShutdown('late', () => order.push('late'))
    expect(order).toEqual(['first', 'second'])
    expect(lines.join()).toContain('shutdown hook late comes too late and is not run')
  })

  test('runs hooks when the last answer has been sent', async () => {
    const order: string[] = []
    const { drain, ask } = await drainUnderTest(async (_request, response) => {
      await wait(600)
      order.push('answer')
      response.end()
    })
    drain.onShutdown('logger', () => order.push('logger'), { after: ['pool'] })
    drain.onShutdown('pool', () => order.push(`pool ${drain.phase}`))
    const off = drain.onShutdown('never', () => order.push('never'))
    off()
    const asked = ask('/')
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    await drain.start()
    expect((await asked).status).toBe(200)
    expect(order).toEqual(['answer', 'pool terminating', 'logger'])
  })

  test('a listener that begins to listen too late is closed at once', async () => {
    const { drain, server, port } = await drainUnderTest(hello, { requestTimeoutMs: 2_000 })
    let finish: () => void = () => undefined
    void drain.track(new Promise<void>((resolve) => (finish = resolve)))
    const ended = drain.start()
    await expect.poll(() => server.listening).toBe(false)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    await expect.poll(() => server.listening).toBe(false)
    finish()
    await ended
  })

  test('a hook that closes the server, which is closed by then, hears of no error', async () => {
    const { drain, server, ask } = await drainUnderTest(hello)
    await ask('/')
    drain.onShutdown('server', () => promisify<void>((done) => server.close(done))())
    expect(await drain.start()).toMatchObject({ isClean: true, failedHooks: [] })
    expect(Object.hasOwn(server, 'close')).toBe(false)
    await expect(promisify<void>((done) => server.close(done))()).rejects.toThrow('not running')
  })

  test('also one that waits for its event, and one whose server has never listened', async () => {
    const { drain, server } = await drainUnderTest(hello)
    const never = createServer()
    drain.watch(never)
    drain.onShutdown('event', async () => {
      server.close()
      await once(server, 'close')
    })
    drain.onShutdown('never', () => promisify<void>((done) => never.close(done))())
    expect(await drain.start()).toMatchObject({ isClean: true, failedHooks: [] })
  })

  test('liveness at the prefix itself is served where late requests are rejected', async () => {
    const health = createHealth({ env: {}, paths: { live: '/' } })
    const server = createServer(healthListener(health, { next: hello }))
    const drain = createDrain({ server, health, shutdownDelayMs: 0, settleMs: 0, lingerMs: 400, env: {} })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const [live, other] = [await rawConnection({ port }), await rawConnection({ port })]
    for (const one of [live, other]) {
      one.send(get('/'))
      await one.read()
    }
    const ended = drain.start()
    live.send(get('/'))
    other.send(get('/x'))
    expect([(await live.read()).status, (await other.read()).status]).toEqual([200, 503])
    await ended
    await health.close()
  })

  test('starting it again within a time hastens what is left of it', async () => {
    const { drain, connect, lines } = await drainUnderTest(() => undefined, {
      ...{ shutdownDelayMs: 5_000, requestTimeoutMs: 10_000, hookTimeoutMs: 3_000 },
    })
    const held = await connect()
    held.send(get('/never?token=secret'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    drain.onShutdown('hangs', () => new Promise(() => undefined))
    drain.onShutdown('runs', () => undefined)
    const ended = drain.start('test')
    await wait(100)
    expect(drain.start('in a hurry', { withinMs: 900 })).toBe(ended)
    const { durationMs, aborted, failedHooks } = await ended
    expect(durationMs).toBeLessThan(100 + 900 + 100)
    expect([aborted, failedHooks]).toEqual([['GET /never'], ['hangs']])
    expect(lines.join()).toContain('warn: drain: has to end within 900 ms (in a hurry)')
  })

  test('a short time is enough for what needs none of it', async () => {
    const { drain, ask } = await drainUnderTest(hello, {
      shutdownDelayMs: 5_000,
      requestTimeoutMs: 10_000,
      hookTimeoutMs: 3_000,
    })
    await ask('/')
    drain.onShutdown('quick', () => wait(20))
    expect(await drain.start('in a hurry', { withinMs: 300 })).toMatchObject({ isClean: true })
  })

  test('one that hears of the beginning, and starts it, starts no other', async () => {
    const { drain, health } = await drainUnderTest(hello)
    const heard: unknown[] = []
    health.on('phase', () => heard.push(drain.start('from a listener')))
    const runs: string[] = []
    drain.onShutdown('hook', () => runs.push('hook'))
    const ended = drain.start('first')
    expect(heard[0]).toBe(ended)
    expect((await ended).reason).toBe('first')
    expect(runs).toEqual(['hook'])
  })

  test('also while hooks run', async () => {
    const { drain } = await drainUnderTest(hello, {
      shutdownDelayMs: 0,
      settleMs: 0,
      hookTimeoutMs: 20_000,
      gracePeriodMs: 60_000,
    })
    drain.onShutdown('hangs', () => new Promise(() => undefined))
    const ended = drain.start('test')
    await expect.poll(() => drain.phase).toBe('terminating')
    void drain.start('in a hurry', { withinMs: 500 })
    expect(await ended).toMatchObject({ failedHooks: ['hangs'] })
    expect((await ended).durationMs).toBeLessThan(2_000)
  })
})

describe('a server that many drains have seen', () => {
  test('is as it was, whatever their order, also when it listens again', async () => {
    const { server, drain } = await drainUnderTest(hello)
    drain.close()
    const untouched = (): boolean[] => ['emit', 'close'].map((name) => Object.hasOwn(server, name))
    expect(untouched()).toEqual([false, false])
    const [a, b] = [createDrain({ server, env: {} }), createDrain({ server, env: {} })]
    a.close()
    b.close()
    expect(untouched()).toEqual([false, false])
    for (let i = 0; i < 3; i++) {
      const again = createDrain({ server, preset: 'development', settleMs: 0, lingerMs: 0, env: {} })
      await again.start()
      if (i < 2) await once(server.listen(0, '127.0.0.1'), 'listening')
      expect(again.stats().connections).toBe(0)
    }
    await expect.poll(untouched).toEqual([false, false])
  })
})
