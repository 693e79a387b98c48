import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { systemClock } from '@baldur/health-core/internal'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, tidy } from '../testing/gateway-under-test.ts'
import { answerClientErrors } from './answer-client-errors.ts'
import { createFrontServer } from './create-server.ts'
import { createPipelineQueue } from './pipeline-queue.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const counted = async () => {
  const seen: string[] = []
  const { port } = await httpRunner(tidied, (request, response) => {
    request.on('error', () => undefined)
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body}`)
      response.end('fine')
    })
  })
  const under = await gatewayInFrontOf(tidied, [port])
  return { seen, under }
}

const HEAD = 'Host: x\r\n'

describe('what two servers could read in two ways', () => {
  it.each<[string, string, number]>([
    [
      'both a length and chunks',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'chunks and then a length',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two lengths', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    [
      'two lengths that are alike',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`,
      400,
    ],
    ['a list of lengths', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 1, 1\r\n\r\na`, 400],
    ['a Content-Length with a plus sign', `POST / HTTP/1.1\r\n${HEAD}Content-Length: +1\r\n\r\na`, 400],
    ['a negative length', `POST / HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n`, 400],
    ['a length in hexadecimal', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 0x1\r\n\r\na`, 400],
    [
      'a length beyond every number',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: ${'9'.repeat(18)}\r\n\r\na`,
      400,
    ],
    [
      'a coding below the chunks',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a coding that is none', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ['identity', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: identity\r\n\r\n`, 400],
    [
      'chunks twice',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a space before the colon',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a folded header', `GET / HTTP/1.1\r\n${HEAD}X: a\r\n b\r\n\r\n`, 400],
    ['a bare line feed in the head', `GET / HTTP/1.1\nHost: x\n\n`, 400],
    ['a bare carriage return in a header', `GET / HTTP/1.1\r\n${HEAD}X: a\rb\r\n\r\n`, 400],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${HEAD}X: a\0b\r\n\r\n`, 400],
    ['no name of a header', `GET / HTTP/1.1\r\n${HEAD}: a\r\n\r\n`, 400],
    ['two hosts', `GET / HTTP/1.1\r\n${HEAD}Host: y\r\n\r\n`, 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['a chunk whose size is none', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    [
      'a chunk whose end is none',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a chunk size beyond every number',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n`,
      400,
    ],
    ['a method that is none', `GE(T / HTTP/1.1\r\n${HEAD}\r\n`, 400],
    ['a method that nobody knows', `FROBNICATE / HTTP/1.1\r\n${HEAD}\r\n`, 400],
    ['a space in the target', `GET /a b HTTP/1.1\r\n${HEAD}\r\n`, 400],
    ['another version', `GET / HTTP/3.7\r\n${HEAD}\r\n`, 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['headers beyond the limit', `GET / HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'extensions of a chunk beyond the limit',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
      413,
    ],
  ])('%s is refused, and its connection ends', async (_, text, status) => {
    const { seen, under } = await counted()
    const connection = await rawConnection({ port: under.port })
    connection.send(Buffer.from(text, 'latin1'))
    const answer = await connection.read()
    expect(answer.status).toBe(status)
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.header('x-baldur-error-type')).toBe('bad_request')
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: 'bad_request' })
    expect(answer.header('connection')).toBe('close')
    connection.end()
    await connection.closed()
    expect(connection.unread).toBe('')
    // nobody was asked, or the runner was never sent the end of the body
    expect(seen).toEqual([])
    expect(under.fleet.signs.filter((outcome) => outcome?.kind === 'broken')).toEqual([])
    connection.close()
  })

  it.each<[string, string]>([
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: [\r\n\r\n'],
    ['an absolute target whose host is none', `GET http://[/ HTTP/1.1\r\n${HEAD}\r\n`],
    ['DEL in the target', `GET /\x7f HTTP/1.1\r\n${HEAD}\r\n`],
    ['a tab in the target', `GET /\tx HTTP/1.1\r\n${HEAD}\r\n`],
    ['a byte above ASCII in the target', `GET /\xff HTTP/1.1\r\n${HEAD}\r\n`],
    ['DEL in a header', `GET / HTTP/1.1\r\n${HEAD}X: \x7f\r\n\r\n`],
  ])('%s is no evidence about a runner, with an upgrade and without', async (_, text) => {
    for (const more of ['', 'Connection: upgrade\r\nUpgrade: echo\r\n']) {
      const { under } = await counted()
      const connection = await rawConnection({ port: under.port })
      connection.send(Buffer.from(text.replace('\r\n', `\r\n${more}`), 'latin1'))
      const answer = await connection.read()
      expect(answer.status).toBeLessThan(500)
      expect(under.fleet.signs.filter((outcome) => outcome?.kind === 'broken')).toEqual([])
      expect(under.fleet.given.every(({ signs }) => signs.length === 1)).toBe(true)
      expect(answer.header('retry-after')).toBeUndefined()
      expect(under.errors).toEqual([])
      connection.close()
    }
  })

  it('a body that is shorter than it says never ends for the runner', async () => {
    const { seen, under } = await counted()
    const connection = await rawConnection({ port: under.port })
    connection.send(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 10\r\n\r\nshort`)
    await until(() => under.fleet.given.length === 1)
    connection.end()
    await connection.closed()
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
    expect(seen).toEqual([])
    connection.close()
  })

  it('a body that is longer than it says is cut there, and what is over is no request', async () => {
    const { seen, under } = await counted()
    const connection = await rawConnection({ port: under.port })
    connection.send(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\nhello and more\r\n\r\n`)
    expect((await connection.read()).body).toBe('fine')
    await connection.closed()
    expect(seen).toEqual(['POST / hello'])
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    connection.close()
  })

  it('a head that does not end in time is answered 408', async () => {
    const server = createFrontServer(() => false, { headMs: 100, checkMs: 20 })
    answerClientErrors(server, createPipelineQueue(1), systemClock)
    tidied.add(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const connection = await rawConnection({ port: (server.address() as AddressInfo).port })
    connection.send('GET / HTTP/1.1\r\nHost')
    const answer = await connection.read()
    expect(answer.status).toBe(408)
    expect(JSON.parse(answer.body)).toMatchObject({ error_type: 'bad_request' })
    connection.close()
    const { gateway } = (await counted()).under
    expect(gateway.server).toMatchObject({ headersTimeout: 60_000, requestTimeout: 0 })
  })
})

describe('requests that are sent without waiting', () => {
  it('are begun one after the other and answered in order', async () => {
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (request, response) => {
      request.resume()
      responses.push(response)
    })
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    const post = `POST /1 HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\nhello`
    connection.send(`${post}GET /2 HTTP/1.1\r\n${HEAD}\r\nGET /3 HTTP/1.1\r\n${HEAD}\r\n`)
    for (const path of ['/1', '/2', '/3']) {
      const at = Number(path.slice(1)) - 1
      await until(() => responses.length > at)
      expect(responses).toHaveLength(at + 1)
      expect(responses[at]?.req.url).toBe(path)
      responses[at]?.end(path)
      expect((await connection.read()).body).toBe(path)
    }
    connection.close()
  })

  it('have no bound on their time from the answer before them', async () => {
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const under = await gatewayInFrontOf(tidied, [port], { clientIdleMs: 1_234 })
    const sockets: Socket[] = []
    under.gateway.server.on('connection', (socket) => sockets.push(socket))
    const connection = await rawConnection({ port: under.port })
    connection.send(`GET /1 HTTP/1.1\r\n${HEAD}\r\nGET /2 HTTP/1.1\r\n${HEAD}\r\n`)
    await until(() => responses.length === 1)
    responses[0]?.end('one')
    await until(() => responses.length === 2)
    // what is left of the first answer's is 1 234
    expect(sockets[0]?.timeout).toBe(0)
    responses[1]?.end('two')
    expect((await connection.read()).body).toBe('one')
    expect((await connection.read()).body).toBe('two')
    connection.close()
  })

  it('are not begun when their connection is gone', async () => {
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send(`GET /1 HTTP/1.1\r\n${HEAD}\r\nGET /2 HTTP/1.1\r\n${HEAD}\r\n`)
    await until(() => responses.length === 1)
    connection.reset()
    responses[0]?.end('one')
    await until(() => under.fleet.signs[0] !== undefined)
    await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })
    expect(under.fleet.given).toHaveLength(1)
  })

  it('and are no requests do not take the answers of those before them', async () => {
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const under = await gatewayInFrontOf(tidied, [port])
    const connection = await rawConnection({ port: under.port })
    connection.send(`GET /1 HTTP/1.1\r\n${HEAD}\r\nGARBAGE\r\n\r\n`)
    await until(() => responses.length === 1)
    connection.send('MORE GARBAGE\r\n\r\n')
    responses[0]?.end('one')
    expect(await connection.read()).toMatchObject({ status: 200, body: 'one' })
    expect(await connection.closed()).toBeDefined()
    expect(connection.unread).toBe('')
    connection.close()
  })

  it('and are garbage, piece after piece, leave nothing behind', async () => {
    const { port } = await httpRunner(tidied, () => undefined)
    const under = await gatewayInFrontOf(tidied, [port])
    const responses: ServerResponse[] = []
    let errors = 0
    under.gateway.server.on('request', (_, response) => responses.push(response))
    under.gateway.server.on('clientError', () => {
      errors += 1
    })
    const connection = await rawConnection({ port: under.port })
    connection.send(`GET /1 HTTP/1.1\r\n${HEAD}\r\n`)
    await until(() => under.fleet.given.length === 1)
    const listeners: (number | undefined)[] = []
    for (let piece = 1; piece <= 5; piece++) {
      connection.send('GARBAGE\r\n\r\n')
      await until(() => errors === piece)
      listeners.push(responses[0]?.listenerCount('close'))
    }
    expect(new Set(listeners).size).toBe(1)
    connection.close()
  })

  it('in a flood end their connection, and hold nobody up', async () => {
    const { seen, under } = await counted()
    const flood = connect(under.port, '127.0.0.1')
    flood.on('error', () => undefined)
    flood.resume()
    flood.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`.repeat(5_000))
    await until(() => flood.destroyed)
    expect((await rawRequest({ port: under.port, path: '/after' })).body).toBe('fine')
    expect(seen.length).toBeLessThan(10)
  })
})
