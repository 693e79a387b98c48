import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { until } from 'health-testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../health-core/src/machinery/manual-clock.ts'
import { createDrain } from './create-drain.ts'
import type { DrainResult } from './drain.ts'
import type { DrainOptions } from './options.ts'
import { drainUnderTest, endServices, get } from './testing/drain-under-test.ts'

afterEach(endServices)

/** A service in the first part of its drain, which goes on only when a test moves its clock. */
async function leaving(app: RequestListener, options: DrainOptions = {}) {
  const clock = manualClock()
  const under = await drainUnderTest(app, { clock, shutdownDelayMs: 3_000, ...options })
  const accepted: Socket[] = []
  under.server.on('connection', (socket) => accepted.push(socket))
  let result: DrainResult | undefined
  void under.drain.start().then((given) => {
    result = given
  })
  return {
    ...{ ...under, clock },
    /** Waits until the only connection has brought so many bytes. */
    hasRead: (bytes: number) => until(() => accepted[0]?.bytesRead === bytes),
    end: async (): Promise<DrainResult> => {
      while (result === undefined) await clock.advance(100)
      return result
    },
  }
}

describe('an answer that says close', () => {
  test.each([
    ['large, and stays behind in the server', 20_000_000],
    ['small, and long in the network when more comes', 120_000],
  ])('reaches a client that reads it slowly and has sent more behind it (%s)', async (_, whole) => {
    const under = await leaving((_request, response) => void response.end(Buffer.alloc(whole, 'x')))
    const socket = connect(under.port, '127.0.0.1')
    socket.write(get('/'))
    let got = 0
    const [first] = (await once(socket, 'data')) as [Buffer]
    got += first.length
    socket.pause()
    for (let count = 2; count <= 11; count++) {
      await new Promise((resolve) => socket.write(get('/'), resolve))
      // a server whose answer stands in line reads nothing
      if (whole < 1_000_000) await under.hasRead(get('/').repeat(count).length)
      await under.clock.advance(200)
    }
    socket.on('data', (chunk: Buffer) => (got += chunk.length)).resume()
    await once(socket, 'end')
    expect(got).toBeGreaterThan(whole)
    socket.destroy()
    await until(() => under.drain.stats().connections === 0)
    expect(under.drain.phase).toBe('draining')
    expect(await under.end()).toMatchObject({ isClean: true })
  })

  test('is not lost where the app itself says close, in the part in which answers keep connections', async () => {
    const under = await leaving(
      (_request, response) => void response.setHeader('Connection', 'close').end('no'),
      { settleMs: 3_000 },
    )
    await under.clock.advance(0)
    const connection = await under.connect()
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n'
    connection.send(`${head}0123456789`)
    expect((await connection.read()).body).toBe('no')
    for (let count = 1; count <= 9; count++) {
      connection.send('x'.repeat(100))
      await under.hasRead(head.length + 10 + count * 100)
      await under.clock.advance(200)
    }
    expect(await connection.closed()).toBe('end')
    await under.end()
  })

  test('is the last: a client that goes on asking behind it is cut, and fills no memory', async () => {
    const under = await leaving((_request, response) => response.end('x'))
    const connection = await under.connect()
    connection.send(get('/'))
    await connection.read()
    const { length } = get('/')
    connection.send(get('/').repeat(100))
    await under.hasRead(101 * length)
    expect(under.drain.stats().connections).toBe(1)
    // the clock stands still: only the number of requests can end it
    connection.send(get('/'))
    await until(() => under.drain.stats().connections === 0)
    await under.end()
  })

  test('comes to its end, however many requests stand behind it', async () => {
    let release: () => void = () => undefined
    const under = await leaving((_request, response) => {
      response.write('begun')
      release = () => response.end(' and done')
    })
    const connection = await under.connect()
    connection.send(get('/'))
    await until(() => connection.unread.includes('begun'))
    connection.send(get('/').repeat(500))
    await under.hasRead(get('/').repeat(501).length)
    release()
    expect((await connection.read()).body).toBe('begun and done')
    expect(await under.end()).toMatchObject({ isClean: true })
  })

  test('is followed by the end of the connection also where the client does not end its side', async () => {
    const under = await leaving((_request, response) => response.end('x'))
    const connection = await under.connect()
    connection.send(get('/'))
    expect((await connection.read()).header('connection')).toBe('close')
    expect(await connection.closed()).toBe('end')
    expect(under.drain.stats().connections).toBe(1)
    await under.clock.advance(1_000)
    await until(() => under.drain.stats().connections === 0)
    expect(under.drain.phase).toBe('draining')
    await under.end()
  })

  test('says so where the app has removed the header, and leaves out what it says of keeping alive', async () => {
    const under = await leaving((asked, response) => {
      if (asked.url === '/removed') response.removeHeader('Connection')
      else response.setHeader('Keep-Alive', 'timeout=60')
      response.end('x')
    })
    for (const path of ['/removed', '/kept']) {
      const { header } = await under.ask(path, { headers: { connection: 'keep-alive' } })
      expect([path, header('connection'), header('keep-alive')]).toEqual([path, 'close', undefined])
    }
    await under.end()
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
