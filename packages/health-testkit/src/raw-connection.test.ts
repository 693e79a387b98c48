import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { type RawConnection, rawConnection } from './raw-connection.ts'

let server: Server
let connection: RawConnection

const get = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const port = () => (server.address() as AddressInfo).port

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/length') response.setHeader('content-length', 10)
    if (request.url === '/slow') await sleep(60)
    if (request.url === '/hints') response.writeEarlyHints({ link: '</a>; rel=preload' })
    if (request.url === '/chunks') response.write('first ')
    if (request.url === '/silence') return response.write('half')
    if (request.url === '/cut') return request.socket.resetAndDestroy()
    return response.end(`body of ${request.url}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  connection = await rawConnection({ port: port(), timeoutMs: 2000 })
})
afterEach(() => connection.close())

describe('a raw connection', () => {
  it('reads one response after the other from one socket', async () => {
    connection.send(get('/a'))
    expect(await connection.read()).toMatchObject({
      status: 200,
      reason: 'OK',
      body: 'body of /a',
      framing: 'length',
    })
    connection.send(get('/chunks'))
    expect(await connection.read()).toMatchObject({ body: 'first body of /chunks', framing: 'chunked' })
    expect(connection.unread).toBe('')
  })

  it('reads pipelined responses in the order of the calls', async () => {
    connection.send(get('/a') + get('/slow') + get('/b'))
    const responses = await Promise.all([connection.read(), connection.read(), connection.read()])
    expect(responses.map(({ body }) => body)).toEqual(['body of /a', 'body of /slow', 'body of /b'])
  })

  it('expects no body after HEAD', async () => {
    connection.send(get('/length', 'HEAD'))
    const response = await connection.read({ method: 'HEAD' })
    expect([response.header('content-length'), response.body, connection.unread]).toEqual(['10', '', ''])
  })

  it('sends a request in pieces, as bytes', async () => {
    for (const byte of Buffer.from(get('/a'))) {
      connection.send(new Uint8Array([byte]))
    }
    expect((await connection.read()).status).toBe(200)
  })

  it('records early hints', async () => {
    connection.send(get('/hints'))
    expect((await connection.read()).informational).toMatchObject([{ status: 103 }])
  })

  it('measures from sending to the last byte', async () => {
    connection.send(get('/slow'))
    const { ms } = await connection.read()
    expect(ms).toBeGreaterThanOrEqual(55)
    expect(ms).toBeLessThan(500)
  })

  it('reads a body that the end of the connection ends', async () => {
    connection.send('GET /chunks HTTP/1.0\r\n\r\n')
    expect(await connection.read()).toMatchObject({ body: 'first body of /chunks', framing: 'close' })
    expect(await connection.closed()).toBe('end')
  })

  it('still reads after it ended its own side', async () => {
    const patient = createNetServer({ allowHalfOpen: true }, (socket) => {
      socket.resume().on('end', () => socket.end('HTTP/1.1 204 Bye\r\n\r\n'))
    })
    await once(patient.listen(0, '127.0.0.1'), 'listening')
    const half = await rawConnection({ port: (patient.address() as AddressInfo).port })
    half.end()
    expect((await half.read()).reason).toBe('Bye')
    half.close()
    patient.close()
  })

  it('names what it received when time runs out', async () => {
    connection.send(get('/silence'))
    await expect(connection.read({ timeoutMs: 60 })).rejects.toThrow(
      /^waited 60 ms for a response, missing the size of the next chunk; received so far \(\d+ bytes\): "HTTP\/1\.1 200 OK.*half/,
    )
    await expect(connection.closed({ timeoutMs: 20 })).rejects.toThrow(
      /^waited 20 ms for the connection to close/,
    )
  })

  it('names the reset that came instead of a response', async () => {
    connection.send(get('/cut'))
    await expect(connection.read()).rejects.toThrow(
      "the connection's reset came before a response, missing the end of the headers; received so far (0 bytes)",
    )
  })

  it('hangs up with a reset', async () => {
    const [socket] = await Promise.all([once(server, 'connection'), rawConnection({ port: port() })]).then(
      ([[accepted], raw]) => [accepted, raw.reset()],
    )
    const [error] = await once(socket, 'error').catch((reason) => [reason])
    expect(error).toMatchObject({ code: 'ECONNRESET' })
  })

  it('rejects when nobody listens', async () => {
    await expect(rawConnection({ port: await freePort() })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
