import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, rawRunner, tidy } from '../testing/gateway-under-test.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A runner that says in JSON what it was sent. */
const mirror = () =>
  httpRunner(tidied, async (request, response) => {
    const { method, url, rawHeaders } = request
    const body = (await bodyOf(request)).toString()
    response.end(JSON.stringify({ method, url, rawHeaders, body }))
  })

interface Mirrored {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: string
}

const valuesOf = ({ rawHeaders }: Mirrored, name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)

describe('a request', () => {
  it('comes to the runner as it was sent, and its answer goes back', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({
      ...{ port: under.port, method: 'POST', path: '/a/../b%2f?c=d&&e', body: 'grüße' },
      headers: [
        ['Host', 'shop.example:8443'],
        ['X-Many', 'one'],
        ['x-many', 'two'],
        ['Cookie', 'a=b'],
      ],
    })
    expect(answer.status).toBe(200)
    const seen: Mirrored = JSON.parse(answer.body)
    expect(seen).toMatchObject({ method: 'POST', url: '/a/../b%2f?c=d&&e', body: 'grüße' })
    expect(valuesOf(seen, 'host')).toEqual(['shop.example:8443'])
    expect(valuesOf(seen, 'x-many')).toEqual(['one', 'two'])
    expect(valuesOf(seen, 'cookie')).toEqual(['a=b'])
    expect(valuesOf(seen, 'x-forwarded-for')).toEqual(['127.0.0.1'])
    expect(valuesOf(seen, 'x-forwarded-proto')).toEqual(['http'])
    expect(valuesOf(seen, 'x-forwarded-host')).toEqual(['shop.example:8443'])
    expect(valuesOf(seen, 'x-baldur-attempt')).toEqual(['1'])
    expect(valuesOf(seen, 'x-baldur-request-id')).toEqual([answer.header('x-baldur-request-id')])
    expect(answer.header('x-baldur-request-id')).toMatch(/^[\da-f]{32}$/)
    expect(under.fleet.given).toMatchObject([
      { kind: 'direct', heads: [200], signs: [{ kind: 'answered', status: 200 }] },
    ])
  })

  it.each(['DELETE', 'PATCH', 'PUT', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'PURGE', 'MKCALENDAR'])(
    'of the method %s comes through, with a body and without',
    async (method) => {
      const { port } = await mirror()
      const under = await gatewayInFrontOf(tidied, [port])
      const without = await rawRequest({ port: under.port, method, path: '/x' })
      const within = await rawRequest({ port: under.port, method, path: '/x', body: 'body' })
      expect(JSON.parse(without.body)).toMatchObject({ method, url: '/x', body: '' })
      expect(JSON.parse(within.body)).toMatchObject({ method, url: '/x', body: 'body' })
    },
  )

  it('keeps the length it has, and stays chunked where it has none', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const sized: Mirrored = JSON.parse(
      (await rawRequest({ port: under.port, method: 'POST', body: 'x'.repeat(100_000) })).body,
    )
    expect(sized.body.length).toBe(100_000)
    expect(valuesOf(sized, 'content-length')).toEqual(['100000'])
    expect(valuesOf(sized, 'transfer-encoding')).toEqual([])

    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
    await until(() => under.fleet.given.length === 1 || under.fleet.given.length === 2)
    connection.send('6;why=not\r\n world\r\n0\r\nX-Trailer: dropped\r\n\r\n')
    const chunked: Mirrored = JSON.parse((await connection.read()).body)
    expect(chunked.body).toBe('hello world')
    expect(valuesOf(chunked, 'transfer-encoding')).toEqual(['chunked'])
    expect(valuesOf(chunked, 'content-length')).toEqual([])
    connection.close()
  })

  it('of no bytes says so where its method usually has some', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const empty: Mirrored = JSON.parse(
      (await rawRequest({ port: under.port, method: 'POST', body: '' })).body,
    )
    expect(valuesOf(empty, 'content-length')).toEqual(['0'])
  })

  it('loses what is of its connection alone, and what Connection names, but not Host', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const { body } = await rawRequest({
      port: under.port,
      headers: [
        ['Connection', 'close, X-Mine, host'],
        ['Host', 'shop.example'],
        ['X-Mine', '1'],
        ['Keep-Alive', 'timeout=5'],
        ['Proxy-Connection', 'keep-alive'],
        ['Proxy-Authorization', 'Basic eDp5'],
        ['TE', 'trailers'],
        ['Trailer', 'X-Sum'],
        ['X-Kept', '1'],
      ],
    })
    const names = (JSON.parse(body) as Mirrored).rawHeaders.filter((_, index) => index % 2 === 0)
    expect(names.map((name) => name.toLowerCase()).sort()).toEqual([
      ...['connection', 'host', 'x-baldur-attempt', 'x-baldur-request-id', 'x-forwarded-for'],
      ...['x-forwarded-host', 'x-forwarded-proto', 'x-kept'],
    ])
  })

  it('cannot bring an id or an attempt of its own; its way so far is kept', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const seen: Mirrored = JSON.parse(
      (
        await rawRequest({
          port: under.port,
          headers: [
            ['X-Baldur-Request-Id', 'mine'],
            ['x-baldur-attempt', '7'],
            ['X-Forwarded-For', '203.0.113.7'],
            ['x-forwarded-for', '198.51.100.2, 10.0.0.1'],
            ['X-Forwarded-Proto', 'https'],
          ],
        })
      ).body,
    )
    expect(valuesOf(seen, 'x-baldur-request-id')).toHaveLength(1)
    expect(valuesOf(seen, 'x-baldur-request-id')).not.toContain('mine')
    expect(valuesOf(seen, 'x-baldur-attempt')).toEqual(['1'])
    expect(valuesOf(seen, 'x-forwarded-for')).toEqual(['203.0.113.7, 198.51.100.2, 10.0.0.1, 127.0.0.1'])
    expect(valuesOf(seen, 'x-forwarded-proto')).toEqual(['https'])
  })

  it('with an absolute target goes to its path, under the host it names', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({
      port: under.port,
      path: 'http://other.example:81?a=b',
      hostHeader: 'x',
    })
    const seen: Mirrored = JSON.parse(answer.body)
    expect(seen.url).toBe('/?a=b')
    expect(valuesOf(seen, 'host')).toEqual(['other.example:81'])
    expect(valuesOf(seen, 'x-forwarded-host')).toEqual(['other.example:81'])
  })

  it('that waits for 100 is told to go on when it has a runner, and its expectation goes no further', async () => {
    const { port } = await mirror()
    const under = await gatewayInFrontOf(tidied, [port], { most: 0 })
    const connection = await rawConnection({ port: under.port })
    connection.send('PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n')
    await until(() => under.gateway.waiting === 1)
    expect(connection.unread).toBe('')
    under.fleet.add('2.1', port)
    await until(() => connection.unread.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    connection.send('hello')
    const answer = await connection.read()
    const seen: Mirrored = JSON.parse(answer.body)
    expect(seen.body).toBe('hello')
    expect(valuesOf(seen, 'expect')).toEqual([])
    expect(answer.header('connection')).toBe('keep-alive')
    connection.close()
  })

  it('that expects anything else is refused', async () => {
    const under = await gatewayInFrontOf(tidied, [(await mirror()).port])
    const answer = await rawRequest({ port: under.port, headers: { Expect: 'the-unexpected' } })
    expect(answer.status).toBe(417)
    expect(JSON.parse(answer.body).error_type).toBe('bad_request')
    expect(under.fleet.given).toEqual([])
  })

  it('of HTTP/1.0 is answered with a body that the connection ends', async () => {
    const { port } = await httpRunner(tidied, (_, response) => {
      response.write('one ')
      response.end('two')
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port, httpVersion: '1.0', hostHeader: false })
    expect(answer).toMatchObject({ status: 200, body: 'one two', framing: 'close' })
  })

  it('on the target * is answered by the gateway itself', async () => {
    const under = await gatewayInFrontOf(tidied, [(await mirror()).port])
    const answer = await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })
    expect(answer.status).toBe(204)
    expect(answer.header('allow')).toContain('GET')
    expect(under.fleet.given).toEqual([])
  })

  it.each([
    ['TRACE', '/', 405],
    ['CONNECT', 'other.example:443', 405],
    ['GET', '*', 400],
    ['GET', 'ftp://other.example/', 400],
    ['GET', 'http://user:secret@other.example/', 400],
  ])('%s %s is refused with %d', async (method, path, status) => {
    const under = await gatewayInFrontOf(tidied, [(await mirror()).port])
    const answer = await rawRequest({ port: under.port, method, path })
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: 'bad_request' })
    expect(answer.header('x-baldur-error-type')).toBe('bad_request')
    expect(under.fleet.given).toEqual([])
  })
})

describe('an answer', () => {
  it('goes back as it is: status, headers in their order, every cookie', async () => {
    const { port } = await httpRunner(tidied, (_, response) => {
      response.writeHead(404, [
        ...[
          'Set-Cookie',
          'a=1; Path=/',
          'X-One',
          '1',
          'set-cookie',
          'b=2',
          'X-One',
          '2',
          'Date',
          'yesterday',
        ],
        ...['Connection', 'X-Secret', 'X-Secret', 'hop', 'Proxy-Authenticate', 'Basic'],
      ])
      response.end('not here')
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port })
    expect(answer).toMatchObject({ status: 404, body: 'not here' })
    expect(answer.rawHeaders.filter(([name]) => /cookie|x-|date|proxy/i.test(name))).toEqual([
      ['Set-Cookie', 'a=1; Path=/'],
      ['X-One', '1'],
      ['set-cookie', 'b=2'],
      ['X-One', '2'],
      ['Date', 'yesterday'],
      ['X-Baldur-Request-Id', expect.stringMatching(/^[\da-f]{32}$/)],
    ])
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 404 }])
  })

  it('may be in Latin-1, in both directions', async () => {
    const seen: string[] = []
    const port = await rawRunner(tidied, (socket) => {
      socket.on('data', (data) => {
        seen.push(data.toString('latin1'))
        socket.end('HTTP/1.1 200 OK\r\nX-Name: J\xfcrgen\r\nContent-Length: 0\r\n\r\n', 'latin1')
      })
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nX-Name: Zo\xeb\r\n\r\n', 'latin1'))
    expect((await connection.read()).header('x-name')).toBe('J\xfcrgen')
    expect(seen[0]).toContain('X-Name: Zo\xeb\r\n')
    connection.close()
  })

  it.each([
    ['1', '0'],
    ['0', '1'],
  ])('loses what it says of a retry (%s, %s)', async (baldurs, fals) => {
    const { port } = await httpRunner(tidied, (_, response) => {
      response.setHeader('X-Baldur-Needs-Retry', baldurs)
      response.setHeader('X-Fal-Needs-Retry', fals)
      response.statusCode = 503
      response.end('ill')
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port })
    expect(answer).toMatchObject({ status: 503, body: 'ill' })
    expect(answer.header('x-baldur-needs-retry')).toBeUndefined()
    expect(answer.header('x-fal-needs-retry')).toBeUndefined()
    expect(answer.header('retry-after')).toBeUndefined()
    expect(answer.header('x-baldur-error-type')).toBeUndefined()
  })

  it.each([200, 204, 304, 503])(
    'to HEAD with %d has a head alone, and the connection goes on',
    async (status) => {
      const { port } = await httpRunner(tidied, (request, response) => {
        response.writeHead(status, status === 204 ? {} : { 'Content-Length': '1000' })
        response.end(request.method === 'HEAD' || status !== 200 ? undefined : 'x'.repeat(1_000))
      })
      const under = await gatewayInFrontOf(tidied, [port], { most: 16 })
      const connection = await rawConnection({ port: under.port })
      connection.send('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
      const answer = await connection.read({ method: 'HEAD' })
      expect(answer.status).toBe(status)
      expect(answer.header('content-length')).toBe(status === 204 ? undefined : '1000')
      expect(answer.header('transfer-encoding')).toBeUndefined()
      expect(under.fleet.signs).toEqual([{ kind: 'answered', status }])
      connection.send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
      expect((await connection.read()).status).toBe(204)
      connection.close()
    },
  )

  it.each([
    ['304 Not Modified\r\nContent-Length: 1000\r\nETag: "a"', '1000'],
    ['204 No Content\r\nContent-Length: 5', undefined],
  ])('without a body may name a length: %j', async (head, length) => {
    const port = await rawRunner(tidied, (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 ${head}\r\n\r\n`))
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const answer = await connection.read()
    expect(answer.status).toBe(Number(head.slice(0, 3)))
    expect(answer.header('content-length')).toBe(length)
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: answer.status }])
    connection.send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).status).toBe(204)
    connection.close()
  })

  it('may come after others of 1xx, which are not passed on', async () => {
    const port = await rawRunner(tidied, (socket) => {
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n' +
            'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
        ),
      )
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port })
    expect(answer).toMatchObject({ status: 200, body: 'ok', informational: [] })
  })

  it.each<[string, readonly string[]]>([
    ['whole', ['HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok']],
    [
      'twice',
      ['HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 100\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ],
    [
      'in pieces',
      ['HTT', 'P/1.1 10', '0 Go\r\n\r', '\nHTTP/1.1 2', '00 OK\r\nContent-Length: 2\r\n\r\n', 'ok'],
    ],
    ['not at all, in pieces', ['H', 'TTP/1.1 ', '200 OK\r\nContent-Length: 2\r\n\r\nok']],
  ])('may come after a 100 that nobody asked for: %s', async (_, pieces) => {
    const port = await rawRunner(tidied, (socket) => {
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece)
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      })
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port, method: 'POST', body: 'x' })
    expect(answer).toMatchObject({ status: 200, body: 'ok', informational: [] })
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
  })

  it('loses its trailers', async () => {
    const { port } = await httpRunner(tidied, (_, response) => {
      response.writeHead(200, { Trailer: 'X-Sum' })
      response.write('body')
      response.addTrailers({ 'X-Sum': '4' })
      response.end()
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const answer = await rawRequest({ port: under.port })
    expect(answer).toMatchObject({ body: 'body', trailers: [] })
    expect(answer.header('trailer')).toBeUndefined()
  })

  it('begins to go out with its head, and piece by piece', async () => {
    const steps: (() => void)[] = []
    const { port } = await httpRunner(tidied, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.flushHeaders()
      steps.push(
        () => response.write('data: 1\n\n'),
        () => response.end('data: 2\n\n'),
      )
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => connection.unread.includes('\r\n\r\n'))
    expect(connection.unread).not.toContain('data')
    steps[0]?.()
    await until(() => connection.unread.includes('data: 1'))
    steps[1]?.()
    expect((await connection.read()).body).toBe('data: 1\n\ndata: 2\n\n')
    connection.close()
  })

  it('that comes before the body has ended is passed on while the rest is read past', async () => {
    const { port } = await httpRunner(tidied, (request, response) => {
      request.once('data', () => {
        response.writeHead(413, { 'Content-Length': '8' })
        response.end('too long')
      })
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    const length = 20_000_000
    connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
    connection.send(Buffer.alloc(1_000_000))
    const answer = await connection.read()
    expect(answer).toMatchObject({ status: 413, body: 'too long' })
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 413 }])
    connection.send(Buffer.alloc(length - 1_000_000))
    connection.send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).status).toBe(204)
    connection.close()
  })

  it('before the end of a body that the runner never reads arrives all the same', async () => {
    for (let round = 0; round < 10; round++) {
      const port = await rawRunner(tidied, (socket) => {
        socket.once('data', () => {
          socket.pause()
          socket.write('HTTP/1.1 413 Too Long\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo long')
          setImmediate(() => socket.destroy())
        })
      })
      const under = await gatewayInFrontOf(tidied, [port])
      const answer = await rawRequest({ port: under.port, method: 'POST', body: Buffer.alloc(3_000_000) })
      expect(answer).toMatchObject({ status: 413, body: 'too long' })
      expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 413 }])
    }
  })
})

describe('a stream', () => {
  it('of both directions at once comes through as it is', async () => {
    const { port } = await httpRunner(tidied, (request, response) => {
      request.pipe(response)
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port, timeoutMs: 20_000 })
    const bytes = Buffer.alloc(8_000_000, 'echo')
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n')
    connection.send(bytes)
    const answer = await connection.read()
    const sum = (buffer: Buffer): string => createHash('sha256').update(buffer).digest('hex')
    expect(sum(answer.bodyBytes)).toBe(sum(bytes))
    connection.close()
  })
})
