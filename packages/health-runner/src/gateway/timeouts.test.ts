import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { gatewayInFrontOf, httpRunner, rawRunner, tidy } from '../testing/gateway-under-test.ts'
import { standsStill } from '../testing/stands-still.ts'

const tidied = tidy()
afterEach(() => tidied.all())

/** A runner whose answers are in the test's hand. */
const held = async () => {
  const responses: ServerResponse[] = []
  const { port } = await httpRunner(tidied, (request, response) => {
    responses.push(response)
    request.on('error', () => undefined)
  })
  return { port, responses }
}

const TIMED_OUT = { kind: 'timed_out' }

describe('the runner’s time', () => {
  it('is over after the request timeout without a head: 504', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const asked = rawRequest({ port: under.port })
    await until(() => responses.length === 1)
    await clock.advance(999)
    expect(under.fleet.signs).toEqual([undefined])
    await clock.advance(1)
    const answer = await asked
    expect(answer.status).toBe(504)
    expect(JSON.parse(answer.body).error_type).toBe('request_timeout')
    expect(answer.header('retry-after')).toBeUndefined()
    expect(under.fleet.signs).toEqual([TIMED_OUT])
    // its connection is not left open
    await until(() => responses[0]?.destroyed)
  })

  it('begins anew with each piece; a pause in the middle resets the client', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => responses.length === 1)
    for (const piece of ['one', 'two', 'three']) {
      await clock.advance(900)
      responses[0]?.write(piece)
      await until(() => connection.unread.includes(piece))
    }
    expect(under.fleet.signs).toEqual([undefined])
    await clock.advance(1_000)
    expect(await connection.closed()).toBe('reset')
    expect(under.fleet.given).toMatchObject([{ heads: [200], signs: [TIMED_OUT] }])
  })

  it('does not run while the client sends its body, and then does', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na')
    await until(() => responses.length === 1)
    for (const piece of ['b', 'c']) {
      await clock.advance(30_000)
      expect(under.fleet.signs).toEqual([undefined])
      const { bytesRead } = responses[0]?.req.socket ?? {}
      connection.send(piece)
      await until(() => responses[0]?.req.socket.bytesRead !== bytesRead)
    }
    await clock.advance(1_000)
    expect((await connection.read()).status).toBe(504)
    expect(under.fleet.signs).toEqual([TIMED_OUT])
    connection.close()
  })

  it('runs while the runner does not read the body', async () => {
    const clock = manualClock()
    let connections = 0
    const port = await rawRunner(tidied, (socket) => {
      connections += 1
      socket.pause()
    })
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const client = connect(under.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n')
    client.write(Buffer.alloc(50_000_000))
    await until(() => connections === 1)
    await standsStill(() => client.bytesWritten - client.writableLength)
    client.setEncoding('latin1')
    const answer = once(client, 'data')
    await clock.advance(1_000)
    expect(under.fleet.signs).toEqual([TIMED_OUT])
    expect(String((await answer)[0])).toContain('HTTP/1.1 504')
    client.destroy()
  })

  it('does not run while the client does not take what is there', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const sockets: Socket[] = []
    under.gateway.server.on('connection', (socket) => sockets.push(socket))
    const client = connect(under.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [response] = await until(() => responses.length === 1 && responses)
    response?.writeHead(200, { 'Content-Length': String(64 * 1_048_576) })
    for (let piece = 0; piece < 64; piece++) response?.write(Buffer.alloc(1_048_576))
    const [socket] = await until(() => sockets.length === 1 && sockets)
    await standsStill(() => socket?.bytesWritten ?? 0)
    expect(socket?.writableNeedDrain).toBe(true)
    await clock.advance(3_600_000)
    expect(under.fleet.signs).toEqual([undefined])
    client.resume()
    response?.end()
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    client.destroy()
  })

  it('leaves no timer behind', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000 })
    const asked = rawRequest({ port: under.port, method: 'POST', body: 'body' })
    await until(() => responses.length === 1)
    responses[0]?.end()
    expect((await asked).status).toBe(200)
    await clock.advance(0)
    expect(clock.pending).toBe(0)
  })
})

describe('a client’s time', () => {
  it('is over when it does not send its body: 408, and nothing is said of the runner', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, clientIdleMs: 60_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na')
    await until(() => responses.length === 1)
    await clock.advance(60_000)
    const answer = await connection.read()
    expect(answer.status).toBe(408)
    expect(JSON.parse(answer.body).error_type).toBe('bad_request')
    expect(answer.header('connection')).toBe('close')
    await connection.closed()
    expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
    await until(() => responses[0]?.destroyed)
  })

  it('is over when it sends its body in a trickle: 408', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, clientIdleMs: 60_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
    const trickle = async (pieces: number, piece: Buffer): Promise<void> => {
      for (let sent = 0; sent < pieces && under.fleet.signs[0] === undefined; sent++) {
        const { bytesRead = 0 } = responses[0]?.req.socket ?? {}
        connection.send(piece)
        await until(() => (responses[0]?.req.socket.bytesRead ?? 0) > bytesRead)
        await clock.advance(20_000)
      }
    }
    await trickle(4, Buffer.alloc(10))
    expect((await connection.read()).status).toBe(408)
    expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
    await connection.closed()
  })

  it('goes on as long as its body comes at a slow line’s pace', async () => {
    const clock = manualClock()
    const { port, responses } = await held()
    const under = await gatewayInFrontOf(tidied, [port], { clock, clientIdleMs: 60_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    let bytes = 0
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
    }
    const piece = 14_400
    for (let minute = 0; minute < 30; minute++) {
      connection.send(Buffer.alloc(piece))
      await until(() => responses.length === 1)
      if (minute === 0) responses[0]?.req.on('data', count)
      await until(() => bytes === (minute + 1) * piece)
      await clock.advance(59_999)
      expect(under.fleet.signs).toEqual([undefined])
    }
    // what came before does not pay for a silence
    await clock.advance(60_000)
    expect((await connection.read()).status).toBe(408)
  })

  it('is not used up by what this process stood still', async () => {
    const clock = manualClock()
    let stoodMs = 0
    const { port, responses } = await held()
    const late = { ...clock, now: () => clock.now() + stoodMs }
    const under = await gatewayInFrontOf(tidied, [port], { clock: late, clientIdleMs: 60_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na')
    await until(() => responses.length === 1)
    stoodMs = 3_600_000
    const { bytesRead = 0 } = responses[0]?.req.socket ?? {}
    connection.send('b')
    await until(() => (responses[0]?.req.socket.bytesRead ?? 0) > bytesRead)
    await clock.advance(50_000)
    expect(under.fleet.signs).toEqual([undefined])
    await clock.advance(10_100)
    expect((await connection.read()).status).toBe(408)
  })

  it('is over when it takes nothing of an answer', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end(Buffer.alloc(64 * 1_048_576)))
    const under = await gatewayInFrontOf(tidied, [port], { clientIdleMs: 300 })
    const client = connect(under.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => under.fleet.signs[0] !== undefined, { timeoutMs: 20_000 })
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    client.destroy()
  })

  it('is over when it goes on sending after its answer', async () => {
    const clock = manualClock()
    const { port } = await httpRunner(tidied, (request, response) => {
      request.once('data', () => response.end('enough'))
    })
    const under = await gatewayInFrontOf(tidied, [port], { clock, clientIdleMs: 60_000 })
    const connection = await rawConnection({ port: under.port })
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc')
    expect((await connection.read()).body).toBe('enough')
    await clock.advance(59_999)
    connection.send('d')
    await clock.advance(1)
    await connection.closed()
  })
})
