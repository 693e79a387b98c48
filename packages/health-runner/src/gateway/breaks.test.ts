import { connect, type Socket } from 'node:net'
import { freePort, rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, rawRunner, tidy } from '../testing/gateway-under-test.ts'
import { standsStill } from '../testing/stands-still.ts'

const tidied = tidy()
afterEach(() => tidied.all())

/** What a runner does with the request that it was sent. */
type Deed = (socket: Socket) => void

const runnerThat = (deed: Deed): Promise<number> =>
  rawRunner(tidied, (socket) => void socket.once('data', () => deed(socket)))

const HEAD = 'HTTP/1.1 200 OK\r\n'
const FIN: Deed = (socket) => void socket.end()
const RST: Deed = (socket) => void socket.resetAndDestroy()
const after =
  (bytes: string, then: Deed): Deed =>
  (socket) => {
    socket.write(bytes)
    // it has gone out as a piece of its own
    setTimeout(then, 20, socket)
  }

describe('a runner that breaks before its answer has a head', () => {
  it.each<[string, Deed, string]>([
    ['ends the connection', FIN, 'runner_disconnected'],
    ['resets the connection', RST, 'runner_disconnected'],
    ['ends it in the middle of the head', after(`${HEAD}Content-Le`, FIN), 'runner_disconnected'],
    ['resets it in the middle of the head', after(`${HEAD}Content-Le`, RST), 'runner_disconnected'],
    ['says 100 and ends', after('HTTP/1.1 100 Go\r\n\r\n', FIN), 'runner_disconnected'],
    ['ends in the middle of a 100', after('HTTP/1.1 100 G', FIN), 'runner_disconnected'],
    [
      'says 100 without an end',
      after(`HTTP/1.1 100 Go\r\nX: ${'x'.repeat(200_000)}`, FIN),
      'runner_server_error',
    ],
    ['speaks another protocol', after('220 mail.example ESMTP\r\n', FIN), 'runner_server_error'],
    ['answers with bytes', after('\u0000\u0001\u0002\u0003', RST), 'runner_server_error'],
    [
      'has two lengths',
      after(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, FIN),
      'runner_server_error',
    ],
    [
      'has a length and chunks',
      after(`${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`, FIN),
      'runner_server_error',
    ],
    ['has a length that is none', after(`${HEAD}Content-Length: ten\r\n\r\n`, FIN), 'runner_server_error'],
    ['has a head without an end', after(`${HEAD}X: ${'x'.repeat(100_000)}`, FIN), 'runner_server_error'],
    ['codes its body', after(`${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n`, FIN), 'runner_server_error'],
    [
      'upgrades without being asked',
      after('HTTP/1.1 101 Up\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', FIN),
      'runner_server_error',
    ],
  ])('and %s: 503, and it is told', async (_, deed, type) => {
    const under = await gatewayInFrontOf(tidied, [await runnerThat(deed)])
    const answer = await rawRequest({ port: under.port })
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: type })
    expect(answer.header('x-baldur-error-type')).toBe(type)
    expect(answer.header('x-baldur-request-id')).toMatch(/^[\da-f]{32}$/)
    // it was handed over: it may have been done
    expect(answer.header('retry-after')).toBeUndefined()
    expect(under.fleet.given).toEqual([
      { runner: '1.1', kind: 'direct', heads: [], signs: [{ kind: 'broken', type }] },
    ])
    expect(under.errors).toEqual([])
  })

  it('leaves the client its connection for the next request', async () => {
    const broken = await runnerThat(RST)
    const { port } = await httpRunner(tidied, (_, response) => response.end('fine'))
    const under = await gatewayInFrontOf(tidied, [broken, port])
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).status).toBe(503)
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).body).toBe('fine')
    connection.close()
  })

  it('while the body is on its way: 503, and the rest is read past', async () => {
    const under = await gatewayInFrontOf(tidied, [await runnerThat(RST)])
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n')
    connection.send(Buffer.alloc(2_000_000))
    expect((await connection.read()).status).toBe(503)
    connection.send(Buffer.alloc(3_000_000))
    connection.send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).status).toBe(204)
    expect(under.fleet.signs).toEqual([{ kind: 'broken', type: 'runner_disconnected' }])
    connection.close()
  })
})

describe('a runner that breaks in the middle of its body', () => {
  const sized = `${HEAD}Content-Length: 10\r\n\r\n12345`
  const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n`
  it.each<[title: string, bytes: string, deed: Deed, type: string]>([
    ['with a length, by an end', sized, FIN, 'runner_incomplete_response'],
    ['with a length, by a reset', sized, RST, 'runner_incomplete_response'],
    ['in chunks, by an end', chunked, FIN, 'runner_incomplete_response'],
    ['in chunks, by a reset', chunked, RST, 'runner_incomplete_response'],
    ['without a length, by a reset', `${HEAD}\r\n12345`, RST, 'runner_incomplete_response'],
    ['in chunks, by what is none', chunked, after('zz\r\n', FIN), 'runner_server_error'],
  ])('%s: the client sees a reset, not a whole answer', async (_, bytes, deed, type) => {
    const sockets: Socket[] = []
    const port = await runnerThat((socket) => {
      sockets.push(socket)
      socket.write(bytes)
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // one that breaks before the client has anything is answered 503
    await until(() => connection.unread.includes('12345'))
    for (const socket of sockets) deed(socket)
    expect(await connection.closed()).toBe('reset')
    expect(connection.unread).toContain('HTTP/1.1 200 OK')
    expect(connection.unread).not.toContain('\r\n0\r\n')
    expect(under.fleet.given).toEqual([
      { runner: '1.1', kind: 'direct', heads: [200], signs: [{ kind: 'broken', type }] },
    ])
  })

  it.each<[string, Deed]>([
    ['an end', FIN],
    ['a reset', RST],
  ])(
    'by %s while the client takes nothing: the process lives, and the runner is told of',
    async (_, deed) => {
      const sockets: Socket[] = []
      const port = await rawRunner(tidied, (socket) => {
        socket.once('data', () => {
          sockets.push(socket)
          socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
          const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
          const more = (): void => {
            while (socket.write(piece));
          }
          socket.on('drain', more)
          more()
        })
      })
      const under = await gatewayInFrontOf(tidied, [port])
      // nobody reads it
      const client = connect(under.port, '127.0.0.1')
      client.on('error', () => undefined)
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const [socket] = await until(() => sockets.length === 1 && sockets)
      await standsStill(() => socket?.bytesWritten ?? 0)
      expect(socket?.writableNeedDrain).toBe(true)
      socket?.removeAllListeners('drain')
      if (socket !== undefined) deed(socket)
      client.resume()
      await until(() => client.destroyed)
      await until(() => under.fleet.signs[0] !== undefined)
      expect(under.fleet.signs).toMatchObject([{ kind: 'broken' }])
      expect(under.errors).toEqual([])
    },
  )
})

describe('a runner that refuses a body and does not read it', () => {
  const refusing = (framing: string, body: string) =>
    runnerThat(after(`HTTP/1.1 431 Too Large\r\n${framing}\r\n${body}`, RST))
  const post = { method: 'POST', body: Buffer.alloc(200_000) }

  it('has answered, and its client gets what it said', async () => {
    for (const body of ['', 'too long']) {
      const under = await gatewayInFrontOf(tidied, [await refusing('Connection: close\r\n', body)])
      expect(await rawRequest({ port: under.port, ...post })).toMatchObject({ status: 431, body })
      expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 431 }])
      expect(under.errors).toEqual([])
    }
  })

  it('in the middle of an answer that has a length: its client sees that, and nothing is said of the runner', async () => {
    const under = await gatewayInFrontOf(tidied, [await refusing('Content-Length: 10\r\n', '12345')])
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1')
    expect(await connection.closed()).toBe('reset')
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 431 }])
  })

  it('is broken all the same without a body to refuse', async () => {
    const under = await gatewayInFrontOf(tidied, [await refusing('Connection: close\r\n', '')])
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await connection.closed()).toBe('reset')
    expect(under.fleet.signs).toEqual([{ kind: 'broken', type: 'runner_incomplete_response' }])
  })

  it('is not asked by a head that leaves no room for what the gateway adds', async () => {
    const { port } = await httpRunner(tidied, (request, response) => {
      request.resume()
      response.end('fine')
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const of = async (length: number) => {
      const headers = {
        'X-Long': 'x'.repeat(length),
        Host: 'h'.repeat(255),
        'X-Forwarded-For': '2001:db8::1',
      }
      return (await rawRequest({ port: under.port, headers, ...post })).status
    }
    expect(await of(15_000)).toBe(200)
    // between these the gateway refuses, and not a runner
    for (let length = 15_050; length < 16_400; length += 50) {
      const before = under.fleet.given.length
      const status = await of(length)
      expect([status, under.fleet.given.length - before]).toEqual(status === 200 ? [200, 1] : [431, 0])
    }
    expect(await of(16_400)).toBe(431)
  })
})

describe('a runner that takes no connection', () => {
  it('costs the request nothing while another one is free', async () => {
    const { port } = await httpRunner(tidied, async (request, response) => {
      let length = 0
      for await (const chunk of request) length += (chunk as Buffer).length
      response.end(String(length))
    })
    const under = await gatewayInFrontOf(tidied, [await freePort(), port])
    const answer = await rawRequest({ port: under.port, method: 'POST', body: Buffer.alloc(1_000_000) })
    expect(answer).toMatchObject({ status: 200, body: '1000000' })
    expect(under.fleet.signs).toEqual([
      { kind: 'broken', type: 'runner_connection_refused' },
      { kind: 'answered', status: 200 },
    ])
  })

  it('gives 503 with Retry-After when there is no other, and when the other refuses as well', async () => {
    for (const ports of [[await freePort()], [await freePort(), await freePort(), await freePort()]]) {
      const under = await gatewayInFrontOf(tidied, ports)
      const answer = await rawRequest({ port: under.port, method: 'POST', body: 'x' })
      expect(answer.status).toBe(503)
      expect(answer.header('x-baldur-error-type')).toBe('runner_connection_refused')
      expect(answer.header('retry-after')).toBe('1')
      // no address of ours is in it
      expect(answer.body).not.toMatch(/\d{4}/)
      expect(under.fleet.signs).toHaveLength(Math.min(2, ports.length))
    }
  })
})

describe('an answer of 503', () => {
  it('is told at its head, and over after its last byte', async () => {
    const steps: (() => void)[] = []
    const { port } = await httpRunner(tidied, (_, response) => {
      response.writeHead(503, { 'Content-Length': String(8 * 1_048_576) })
      response.flushHeaders()
      steps.push(() => response.end(Buffer.alloc(8 * 1_048_576)))
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port, timeoutMs: 20_000 })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => under.fleet.given[0]?.heads.length === 1)
    expect(under.fleet.given).toMatchObject([{ heads: [503], signs: [] }])
    steps[0]?.()
    const answer = await connection.read()
    expect(answer.status).toBe(503)
    expect(answer.bodyBytes.length).toBe(8 * 1_048_576)
    expect(under.fleet.given).toMatchObject([{ heads: [503], signs: [{ kind: 'answered', status: 503 }] }])
    connection.close()
  })
})
