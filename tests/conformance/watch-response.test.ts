import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  connect,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { watchResponse, writeAnswer } from '@baldur/health-core/node'
import { rawConnection, rawRequest } from 'health-testkit'
import { listen, type Service } from 'health-testkit/service'
import { afterEach, describe, expect, test } from 'vitest'

const services: Service[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.close()
})

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server whose responses are watched, and what was told of them. */
async function watched(handler: Handler): Promise<{ port: number; seen: number[]; server: Server }> {
  const seen: number[] = []
  const server = createServer((request, response) => {
    watchResponse(response, (status) => seen.push(status))
    return handler(request, response)
  })
  const service = await listen(server)
  services.push(service)
  return { port: service.port, seen, server }
}

describe('a response is told of once, when its head is written', () => {
  test.each<[string, Handler]>([
    ['end', (_request, response) => Object.assign(response, { statusCode: 503 }).end('x')],
    ['writeHead', (_request, response) => response.writeHead(503, 'Mine', { a: 'b' }).end()],
    ['writeHead with raw headers', (_request, response) => response.writeHead(503, ['a', 'b']).end()],
    [
      'write',
      (_request, response) => {
        response.statusCode = 503
        response.write('x')
        response.end()
      },
    ],
    [
      'flushHeaders',
      (_request, response) => {
        response.statusCode = 503
        response.flushHeaders()
        response.end('x')
      },
    ],
    [
      'after a 100 and a 103',
      (_request, response) => {
        response.writeContinue()
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.writeHead(503).end('x')
      },
    ],
    [
      'a second head, which Node refuses',
      (_request, response) => {
        response.writeHead(503)
        expect(() => response.writeHead(200)).toThrow(/headers/)
        response.end()
      },
    ],
    [
      'a head that Node refuses before one that it takes',
      (_request, response) => {
        expect(() => response.writeHead(7)).toThrow(/Invalid status code/)
        response.writeHead(503).end()
      },
    ],
    [
      'a later layer that wraps writeHead and changes the status, as on-headers does',
      (_request, response) => {
        const inner = response.writeHead as (status: number) => ServerResponse
        response.writeHead = () => inner.call(response, 503)
        response.end()
      },
    ],
  ])('%s', async (_way, handler) => {
    const { port, seen } = await watched(handler)
    expect((await rawRequest({ port })).status).toBe(503)
    expect(seen).toEqual([503])
  })

  test('what Node hands to the caller is handed on', async () => {
    const { port } = await watched((_request, response) => {
      expect(response.writeHead(200)).toBe(response)
      response.end()
    })
    expect((await rawRequest({ port })).status).toBe(200)
  })
})

describe('a client that has left', () => {
  test('got no answer, also when its request stood in line behind another', async () => {
    const open: ServerResponse[] = []
    const { port, seen } = await watched((_request, response) => open.push(response))
    const client = await rawConnection({ port })
    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => open.length).toBe(2)
    const gone = once(open[0] as ServerResponse, 'close')
    client.reset()
    await gone
    for (const response of open) response.writeHead(503).end('x')
    expect(seen).toEqual([])
  })

  test('of HTTP/2 got none either, while another stream of its session is told of', async () => {
    const seen: number[] = []
    const open: Http2ServerResponse[] = []
    const server = createHttp2Server((_request, response) => {
      watchResponse(response, (status) => seen.push(status))
      open.push(response)
    })
    const service = await listen(server)
    services.push(service)
    const session = connect(`http://127.0.0.1:${service.port}`)
    const [left, stays] = [session.request({ ':path': '/a' }), session.request({ ':path': '/b' })]
    await expect.poll(() => open.length).toBe(2)
    const gone = once(open[0]?.stream as never, 'close')
    left.on('error', () => undefined)
    left.close(8)
    await gone
    for (const response of open) response.writeHead(503).end('x')
    const [headers] = await once(stays, 'response')
    expect([headers[':status'], seen]).toEqual([503, [503]])
    stays.resume()
    session.close()
  })

  test('by ending its side got none either, since Node then ends the other one', async () => {
    const open: ServerResponse[] = []
    const { port, seen } = await watched((_request, response) => open.push(response))
    const client = await rawConnection({ port })
    client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => open.length).toBe(1)
    const ended = once(open[0]?.req.socket as never, 'end')
    client.end()
    await ended
    open[0]?.writeHead(503).end('x')
    await expect(client.read()).rejects.toThrow(/end came before a response/)
    expect(seen).toEqual([])
    client.close()
  })
})

describe('HTTP/2', () => {
  const watchedHttp2 = async (
    handler: (request: Http2ServerRequest, response: Http2ServerResponse) => unknown,
  ) => {
    const seen: number[] = []
    const server = createHttp2Server((request, response) => {
      watchResponse(response, (status) => seen.push(status))
      return handler(request, response)
    })
    const service = await listen(server)
    services.push(service)
    const session = connect(`http://127.0.0.1:${service.port}`)
    const ask = async (method: string): Promise<void> => {
      const stream = session.request({ ':path': '/', ':method': method })
      stream.resume()
      await once(stream, 'close')
    }
    return { seen, session, ask }
  }

  test('answers without a body are told of: HEAD, 204, 304', async () => {
    const statuses = [503, 204, 304, 503]
    const { seen, session, ask } = await watchedHttp2((_request, response) => {
      response.statusCode = statuses[seen.length] ?? 200
      response.end()
    })
    for (const method of ['HEAD', 'GET', 'GET', 'HEAD']) await ask(method)
    expect(seen).toEqual(statuses)
    session.close()
  })

  test('what is written to a client that has reset its stream is not', async () => {
    const { seen, session } = await watchedHttp2((request, response) => {
      request.on('aborted', () => response.writeHead(503).end())
    })
    const stream = session.request({ ':path': '/' })
    stream.on('error', () => undefined)
    await once(session, 'connect')
    await new Promise((resolve) => setTimeout(resolve, 50))
    stream.close(8)
    await once(stream, 'close')
    const next = session.request({ ':path': '/' })
    next.on('error', () => undefined)
    next.close(8)
    await once(next, 'close')
    expect(seen).toEqual([])
    session.close()
  })
})

describe('an answer to a probe', () => {
  test('bears a mark by which another copy of the package knows it', () => {
    const response = {
      headersSent: false,
      writeHead: () => undefined,
      end: () => undefined,
      destroy: () => undefined,
    }
    writeAnswer(response, { status: 200, headers: {}, body: '', close: false })
    expect(Symbol.for('@baldur/health-core: the answer to a probe') in response).toBe(true)
  })

  test.each([false, true])(
    'that cannot be written ends its connection and nothing else (late: %s)',
    async (isLate) => {
      let destroyed = 0
      const response = {
        headersSent: false,
        writeHead: () => {
          throw new Error('no')
        },
        end: () => undefined,
        destroy: () => {
          destroyed += 1
        },
      }
      const answer = { status: 200, headers: {}, body: '', close: false }
      writeAnswer(response, isLate ? Promise.resolve(answer) : answer)
      await new Promise((resolve) => setImmediate(resolve))
      expect(destroyed).toBe(1)
    },
  )
})
