import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { freePort, type RawConnection, rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import {
  gatewayInFrontOf,
  httpRunner,
  rawRunner,
  tidy,
  type UnderTestOptions,
} from '../testing/gateway-under-test.ts'
import { standsStill } from '../testing/stands-still.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const OFFER =
  'GET /chat?room=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, X-Mine\r\nUpgrade: echo\r\nX-Mine: 1\r\nX-Key: abc\r\n\r\n'
const ACCEPT =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Accept: cba\r\n\r\n'

/** A runner that accepts an offer, and then does what the test wants. */
const accepting = async (serve: (socket: Socket, head: Buffer) => void, first = '') => {
  const requests: IncomingMessage[] = []
  const sockets: Socket[] = []
  const { port, server } = await httpRunner(tidied, (_, response) => response.end('plain'))
  server.on('upgrade', (request, socket: Socket, head) => {
    requests.push(request)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(ACCEPT + first)
    serve(socket, head)
  })
  tidied.add(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port, requests, sockets }
}

const offered = async (port: number, more = '', options: UnderTestOptions = {}) => {
  const under = await gatewayInFrontOf(tidied, [port], options)
  const client = await rawConnection({ port: under.port })
  tidied.add(client.close)
  client.send(OFFER + more)
  return { under, client }
}

/** Reads the head of the 101, and leaves what follows. */
const switched = async (client: RawConnection): Promise<string> => {
  const answer = await client.read()
  expect(answer.status).toBe(101)
  return answer.raw
}

describe('an upgrade that a runner accepts', () => {
  it('passes bytes both ways, those that came with the heads too', async () => {
    const { port, requests } = await accepting((socket, head) => {
      socket.write(head)
      socket.pipe(socket)
    }, 'welcome ')
    const { under, client } = await offered(port, 'early ')
    const head = await switched(client)
    expect(head).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n/)
    expect(head).toContain('\r\nX-Accept: cba\r\n')
    expect(head).toMatch(/\r\nX-Baldur-Request-Id: [\da-f]{32}\r\n/)
    client.send('late')
    await until(() => client.unread === 'welcome early late')
    const { url, headers } = requests[0] ?? {}
    expect(url).toBe('/chat?room=1')
    expect(headers).toMatchObject({ connection: 'Upgrade', upgrade: 'echo', host: 'x', 'x-key': 'abc' })
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-baldur-attempt': '1' })
    expect(headers?.['x-mine']).toBeUndefined()
    expect(under.gateway.upgraded).toBe(1)
    client.close()
    await until(() => under.gateway.upgraded === 0)
  })

  it('holds no place of a request: the runner has answered', async () => {
    const { port } = await accepting((socket) => socket.pipe(socket))
    const { under, client } = await offered(port, '', { most: 1 })
    await switched(client)
    expect(under.fleet.given).toEqual([
      { runner: '1.1', kind: 'direct', heads: [101], signs: [{ kind: 'answered', status: 101 }] },
    ])
    expect((await rawRequest({ port: under.port })).body).toBe('plain')
  })

  it('carries much in both directions at the pace of who reads', async () => {
    const { port } = await accepting((socket) => socket.pipe(socket))
    const { client } = await offered(port)
    await switched(client)
    client.send(Buffer.alloc(8_000_000, 'x'))
    await until(() => client.unread.length === 8_000_000, { timeoutMs: 20_000, everyMs: 100 })
  })

  it('may be ended by the client alone: what the runner still says comes', async () => {
    const { port } = await accepting((socket) => {
      socket.allowHalfOpen = true
      socket.resume()
      socket.on('end', () => setTimeout(() => socket.end('last word'), 50))
    })
    const { under, client } = await offered(port)
    await switched(client)
    client.end()
    expect(await client.closed()).toBe('end')
    expect(client.unread).toBe('last word')
    await until(() => under.gateway.upgraded === 0)
  })

  it('may be ended by the runner alone: what the client still says comes', async () => {
    let heard = ''
    const { port } = await accepting((socket) => {
      socket.on('data', (data) => {
        heard += String(data)
      })
      socket.end('bye')
    })
    const { under, client } = await offered(port)
    await switched(client)
    await client.closed()
    expect(client.unread).toBe('bye')
    client.send('bye yourself')
    await until(() => heard === 'bye yourself')
    client.end()
    await until(() => under.gateway.upgraded === 0)
  })

  it.each(['client', 'runner'] as const)(
    'breaks for the other when the %s breaks; no runner is blamed',
    async (who) => {
      const { port, sockets } = await accepting((socket) => socket.pipe(socket))
      const { under, client } = await offered(port)
      await switched(client)
      if (who === 'client') client.reset()
      else sockets[0]?.resetAndDestroy()
      await until(() => sockets[0]?.destroyed)
      if (who === 'runner') expect(await client.closed()).toBe('reset')
      await until(() => under.gateway.upgraded === 0)
      expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 101 }])
      expect(under.errors).toEqual([])
    },
  )
})

describe('an upgrade that a runner does not accept', () => {
  it('is answered with what it says, whole, and the connection ends', async () => {
    const { port } = await httpRunner(tidied, (_, response) => {
      response.writeHead(426, { 'X-Why': 'not here' })
      response.write('one ')
      response.end('two')
    })
    const { under, client } = await offered(port)
    const answer = await client.read()
    expect(answer).toMatchObject({ status: 426, body: 'one two' })
    expect(answer.header('x-why')).toBe('not here')
    expect(answer.header('connection')).toBe('close')
    expect(answer.header('x-baldur-request-id')).toMatch(/^[\da-f]{32}$/)
    await client.closed()
    expect(under.fleet.given).toMatchObject([{ heads: [426], signs: [{ kind: 'answered', status: 426 }] }])
  })

  it('is passed on without growing: a long answer waits for its reader', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end(Buffer.alloc(8_000_000)))
    const { client } = await offered(port)
    expect((await client.read({ timeoutMs: 20_000 })).bodyBytes.length).toBe(8_000_000)
  })

  it.each<[string, (socket: Socket) => void, string]>([
    ['ends', (socket) => socket.end(), 'runner_disconnected'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'runner_disconnected'],
    ['sends garbage', (socket) => socket.end('garbage\r\n\r\n'), 'runner_server_error'],
  ])('because it %s the connection: 503', async (_, deed, type) => {
    const port = await rawRunner(tidied, (socket) => void socket.once('data', () => deed(socket)))
    const { under, client } = await offered(port)
    const answer = await client.read()
    expect(answer.status).toBe(503)
    expect(answer.header('x-baldur-error-type')).toBe(type)
    await client.closed()
    expect(under.fleet.signs).toEqual([{ kind: 'broken', type }])
  })

  it('to its end, but in its middle breaks: the client sees a reset', async () => {
    const port = await rawRunner(tidied, (socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345')
        setTimeout(() => socket.resetAndDestroy(), 50)
      })
    })
    const { under, client } = await offered(port)
    expect(await client.closed()).toBe('reset')
    expect(under.fleet.signs).toEqual([{ kind: 'broken', type: 'runner_incomplete_response' }])
  })

  it('in time: 504', async () => {
    const clock = manualClock()
    let connections = 0
    const port = await rawRunner(
      tidied,
      (socket) =>
        void socket.once('data', () => {
          connections += 1
        }),
    )
    const { under, client } = await offered(port, '', { clock, requestTimeoutMs: 1_000 })
    await until(() => connections === 1)
    await clock.advance(1_000)
    const answer = await client.read()
    expect(answer.status).toBe(504)
    expect(answer.header('x-baldur-error-type')).toBe('request_timeout')
    expect(under.fleet.signs).toEqual([{ kind: 'timed_out' }])
  })

  it('to its end in time: the client sees a reset, unless it is the client who is waited for', async () => {
    const clock = manualClock()
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const { under } = await offered(port, '', { clock, requestTimeoutMs: 1_000 })
    const sockets: Socket[] = []
    under.gateway.server.on('connection', (socket) => sockets.push(socket))
    const slow = connect(under.port, '127.0.0.1')
    slow.on('error', () => undefined)
    slow.write(OFFER)
    await until(() => responses.length === 2)
    responses[0]?.write('begins')
    for (let piece = 0; piece < 32; piece++) responses[1]?.write(Buffer.alloc(1_048_576))
    await standsStill(() => sockets[0]?.bytesWritten ?? 0)
    expect(sockets[0]?.writableNeedDrain).toBe(true)
    await clock.advance(1_000)
    expect(under.fleet.signs).toEqual([{ kind: 'timed_out' }, undefined])
    slow.resume()
    responses[1]?.end()
    await until(() => under.fleet.signs[1] !== undefined)
    expect(under.fleet.signs[1]).toEqual({ kind: 'answered', status: 200 })
    slow.destroy()
  })

  it('since nobody is there: another is asked, else 503 with Retry-After', async () => {
    const { port } = await accepting((socket) => socket.pipe(socket))
    const under = await gatewayInFrontOf(tidied, [await freePort(), port])
    const client = await rawConnection({ port: under.port })
    client.send(OFFER)
    await switched(client)
    client.close()
    const alone = await offered(await freePort())
    const answer = await alone.client.read()
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('1')
    expect(answer.header('x-baldur-error-type')).toBe('runner_connection_refused')
  })
})

describe('a client that offers an upgrade', () => {
  it('waits in line, and is told when there is no room', async () => {
    const clock = manualClock()
    const { port } = await accepting((socket) => socket.pipe(socket))
    const { under, client } = await offered(port, '', {
      clock,
      most: 0,
      waitingLine: { max: 1, timeoutMs: 1_000 },
    })
    await until(() => under.gateway.waiting === 1)
    const second = await rawConnection({ port: under.port })
    second.send(OFFER)
    const answer = await second.read()
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('1')
    await second.closed()
    under.fleet.add('2.1', port)
    await switched(client)
  })

  it.each(['close', 'reset', 'end'] as const)('and leaves the line (%s) frees its place', async (how) => {
    const { port, sockets } = await accepting((socket) => socket.pipe(socket))
    const waitingLine = { max: 1, timeoutMs: 60_000 }
    const { under, client } = await offered(port, '', { most: 0, waitingLine })
    await until(() => under.gateway.waiting === 1)
    client[how]()
    await until(() => under.gateway.waiting === 0)
    under.fleet.add('2.1', port)
    expect(sockets).toEqual([])
    expect(under.fleet.given).toEqual([])
  })

  it('and leaves before the answer does not stop the runner’s clock', async () => {
    const clock = manualClock()
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const { under, client } = await offered(port, '', { clock, requestTimeoutMs: 1_000 })
    await until(() => responses.length === 1)
    client.reset()
    for (let turn = 0; turn < 20; turn++) await clock.advance(0)
    expect(under.fleet.signs).toEqual([undefined])
    responses[0]?.writeHead(503).end()
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.given).toMatchObject([{ heads: [503], signs: [{ kind: 'answered', status: 503 }] }])
  })

  it('of HTTP/2, or with a body, is served as if it did not: the connection goes on', async () => {
    const { port } = await httpRunner(tidied, (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => response.end(`${request.method} ${body} ${request.headers.upgrade}`))
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const client = await rawConnection({ port: under.port })
    const h2c =
      'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
    const body = 'x'.repeat(300_000)
    for (let round = 0; round < 2; round++) {
      client.send(`GET / HTTP/1.1\r\n${h2c}\r\n`)
      expect((await client.read()).body).toBe('GET  undefined')
      client.send(`POST / HTTP/1.1\r\n${h2c}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
      await until(() => under.fleet.given.length === 2 + 4 * round)
      client.send(body.slice(5))
      expect((await client.read()).body).toBe(`POST ${body} undefined`)
      for (const method of ['POST', 'GET']) {
        client.send(
          `${method} / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\nContent-Length: 2\r\n\r\nok`,
        )
        expect((await client.read()).body).toBe(`${method} ok undefined`)
      }
    }
    client.close()
  })

  it('that nobody takes, again and again, leaves nothing on its connection', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end('fine'))
    const under = await gatewayInFrontOf(tidied, [port])
    const sockets: Socket[] = []
    under.gateway.server.on('connection', (socket) => sockets.push(socket))
    const listeners = () =>
      sockets[0]?.eventNames().map((name) => `${String(name)} ${sockets[0]?.listenerCount(name)}`)
    const client = await rawConnection({ port: under.port })
    const ask = async (): Promise<void> => {
      client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
      expect((await client.read()).body).toBe('fine')
    }
    for (let round = 0; round < 3; round++) await ask()
    const before = listeners()
    for (let round = 0; round < 5; round++) await ask()
    expect(listeners()).toEqual(before)
    client.close()
  })

  it('is let go when its client takes nothing of the answer that it got instead', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end(Buffer.alloc(64 * 1_048_576)))
    const under = await gatewayInFrontOf(tidied, [port], { clientIdleMs: 300 })
    const client = connect(under.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write(OFFER)
    await until(() => under.fleet.signs[0] !== undefined, { timeoutMs: 20_000 })
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    client.destroy()
  })

  describe('behind requests that have no answer yet', () => {
    const twoAnd = async (last: string) => {
      const responses: ServerResponse[] = []
      const { port, server } = await httpRunner(tidied, (_, response) => responses.push(response))
      server.on('upgrade', (_, socket: Socket) => {
        tidied.add(() => socket.destroy())
        socket.write(ACCEPT)
        socket.pipe(socket)
      })
      const under = await gatewayInFrontOf(tidied, [port])
      const client = await rawConnection({ port: under.port, timeoutMs: 20_000 })
      tidied.add(client.close)
      const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
      client.send(`${get}${get}${last}`)
      const answers = async (body: string | Buffer): Promise<void> => {
        for (const at of [0, 1]) {
          await until(() => responses.length > at)
          expect(client.unread).toBe('')
          responses[at]?.end(body)
          expect((await client.read()).body).toHaveLength(body.length)
        }
        expect(under.fleet.given.length).toBeLessThanOrEqual(3)
      }
      return { under, client, responses, answers }
    }

    it('waits for its turn', async () => {
      const { client, answers } = await twoAnd(`${OFFER}early`)
      await answers('fine')
      await switched(client)
      await until(() => client.unread === 'early')
    })

    it('does not hold up a long answer before it', async () => {
      const { client, answers } = await twoAnd(OFFER)
      await answers(Buffer.alloc(8 * 1_048_576))
      await switched(client)
    })

    it('and that no runner may take waits for its turn too', async () => {
      const { under, client, responses, answers } = await twoAnd(
        'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      )
      await answers('fine')
      await until(() => responses.length === 3)
      responses[2]?.end('third')
      expect((await client.read()).body).toBe('third')
      expect(under.errors).toEqual([])
    })

    it('a CONNECT gets its answer last, and the connection ends', async () => {
      const { client, answers } = await twoAnd('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')
      await answers('fine')
      expect((await client.read()).status).toBe(405)
      await client.closed()
    })

    it('goes with its client', async () => {
      const { under, client, responses } = await twoAnd(OFFER)
      await until(() => responses.length === 1)
      client.reset()
      responses[0]?.end('fine')
      await until(() => under.fleet.signs[0] !== undefined)
      await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })
      expect(under.fleet.given).toHaveLength(1)
      expect(under.errors).toEqual([])
    })

    it('gets nothing when the last answer before it ends the connection', async () => {
      const { under, client, answers } = await twoAnd(`GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${OFFER}`)
      await answers('fine')
      expect((await client.read()).status).toBe(400)
      await client.closed()
      await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })
      expect(under.fleet.given).toHaveLength(2)
      expect(under.errors).toEqual([])
    })
  })
})
