import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createDrain } from './create-drain.ts'
import { drainUnderTest, endServices, get } from './testing/drain-under-test.ts'

afterEach(endServices)

const LONG_DELAY = { shutdownDelayMs: 3_000 }

describe('an answer that says close', () => {
  test('reaches a client that reads it slowly and has sent more behind it', async () => {
    const whole = 2_000_000
    const { drain, port } = await drainUnderTest(
      (_request, response) => void response.end(Buffer.alloc(whole, 'x')),
      LONG_DELAY,
    )
    const ended = drain.start()
    const socket = connect(port, '127.0.0.1')
    socket.write(get('/'))
    let got = 0
    const [first] = (await once(socket, 'data')) as [Buffer]
    got += first.length
    socket.pause()
    for (let i = 0; i < 10; i++) {
      socket.write(get('/'))
      await wait(30)
    }
    socket.on('data', (chunk: Buffer) => (got += chunk.length)).resume()
    await once(socket, 'end')
    expect(got).toBeGreaterThan(whole)
    socket.destroy()
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('is not lost where the app itself says close, in the part in which answers keep connections', async () => {
    const { drain, connect: open } = await drainUnderTest(
      (_request, response) => void response.setHeader('Connection', 'close').end('no'),
      { shutdownDelayMs: 600, settleMs: 600 },
    )
    const ended = drain.start()
    const connection = await open()
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n0123456789')
    expect((await connection.read()).body).toBe('no')
    for (let i = 0; i < 9; i++) {
      connection.send('x'.repeat(100))
      await wait(20)
    }
    expect(await connection.closed()).toBe('end')
    await ended
  })

  test('is the last: a client that goes on asking behind it is cut, and fills no memory', async () => {
    const { drain, connect: open } = await drainUnderTest(
      (_request, response) => response.end('x'),
      LONG_DELAY,
    )
    const ended = drain.start()
    const connection = await open()
    connection.send(get('/'))
    await connection.read()
    for (let i = 0; i < 50; i++) {
      connection.send(get('/').repeat(10))
      await wait(5)
    }
    await expect.poll(() => drain.stats().connections, { timeout: 2_000 }).toBe(0)
    expect(drain.phase).toBe('draining')
    await ended
  })

  test('comes to its end, however many requests stand behind it', async () => {
    const { drain, connect: open } = await drainUnderTest(async (_request, response) => {
      response.write('begun')
      await wait(300)
      response.end(' and done')
    }, LONG_DELAY)
    const ended = drain.start()
    const connection = await open()
    connection.send(get('/'))
    await expect.poll(() => drain.stats().inFlight).toBe(1)
    await wait(50)
    connection.send(get('/').repeat(500))
    expect((await connection.read()).body).toBe('begun and done')
    expect(await ended).toMatchObject({ isClean: true })
  })

  test('is followed by the end of the connection also where the client does not end its side', async () => {
    const { drain, connect: open } = await drainUnderTest(
      (_request, response) => response.end('x'),
      LONG_DELAY,
    )
    const ended = drain.start()
    const connection = await open()
    connection.send(get('/'))
    expect((await connection.read()).header('connection')).toBe('close')
    expect(await connection.closed()).toBe('end')
    await expect.poll(() => drain.stats().connections).toBe(0)
    expect(drain.phase).toBe('draining')
    await ended
  })

  test('says so where the app has removed the header, and leaves out what it says of keeping alive', async () => {
    const { drain, ask } = await drainUnderTest((asked, response) => {
      if (asked.url === '/removed') response.removeHeader('Connection')
      else response.setHeader('Keep-Alive', 'timeout=60')
      response.end('x')
    })
    const ended = drain.start()
    for (const path of ['/removed', '/kept']) {
      const { header } = await ask(path, { headers: { connection: 'keep-alive' } })
      expect([path, header('connection'), header('keep-alive')]).toEqual([path, 'close', undefined])
    }
    await ended
  })
})

describe('without a server', () => {
  test('a request that comes through middleware while hooks run is refused, since what they close is gone', async () => {
    const drain = createDrain({
      shutdownDelayMs: 0,
      settleMs: 0,
      lingerMs: 0,
      lateRequests: 'serve',
      env: {},
    })
    const server = createServer((asked, response) => {
      if (drain.admit(asked, response)) response.end('served')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const statusOf = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}`)).status
    let during = 0
    drain.onShutdown('database', async () => {
      during = await statusOf()
    })
    expect(await statusOf()).toBe(200)
    await drain.start()
    expect(during).toBe(503)
    server.close()
    server.closeAllConnections()
  })
})
