import { connect } from 'node:net'
import fc from 'fast-check'
import { rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, rawRunner, tidy } from '../testing/gateway-under-test.ts'

const tidied = tidy()
afterEach(() => tidied.all())

/** What a request is made of, whole, twice, or in the wrong place. */
const BITS = [
  ...['GET / HTTP/1.1\r\n', 'POST /x HTTP/1.1\r\n', 'HEAD / HTTP/1.0\r\n', 'OPTIONS * HTTP/1.1\r\n'],
  ...[
    'CONNECT x:1 HTTP/1.1\r\n',
    'TRACE / HTTP/1.1\r\n',
    'GET http://x/y HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n',
  ],
  ...[
    'Host: x\r\n',
    'Host:\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: 0\r\n',
    'Content-Length: 99999\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip\r\n',
    'Expect: 100-continue\r\n',
    'Expect: x\r\n',
  ],
  ...[
    'Connection: Upgrade\r\n',
    'Upgrade: echo\r\n',
    'Upgrade: h2c\r\n',
    'Connection: close\r\n',
    'Connection: host\r\n',
  ],
  ...[
    '\r\n',
    '\r\n\r\n',
    '\n',
    'hello',
    '5\r\nhello\r\n',
    '0\r\n\r\n',
    'ffffffffff\r\n',
    '\0',
    '\x16\x03\x01',
    ': x\r\n',
  ],
]
const bytes = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...BITS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)
const pieces = fc.array(fc.array(bytes, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
const leaving = fc.constantFrom('end', 'reset', 'stay')

const RUNS = 300

describe('whatever is sent', () => {
  it('by clients: the gateway goes on, and no sign of a runner is bad', async () => {
    const { port } = await httpRunner(tidied, (request, response) => {
      request.resume()
      response.end('fine')
    })
    const under = await gatewayInFrontOf(tidied, [port], { most: 1_000, requestTimeoutMs: 60_000 })
    let open = 0
    under.gateway.server.on('connection', (socket) => {
      open += 1
      socket.once('close', () => {
        open -= 1
      })
    })
    await fc.assert(
      fc.asyncProperty(pieces, leaving, async (sent, how) => {
        const client = connect(under.port, '127.0.0.1')
        client.on('error', () => undefined).resume()
        for (const piece of sent) {
          client.write(piece.join(''), 'latin1')
          await new Promise((resolve) => setImmediate(resolve))
        }
        if (how === 'end') client.end()
        else if (how === 'reset') client.resetAndDestroy()
        else setTimeout(() => client.destroy(), 20)
      }),
      { numRuns: RUNS },
    )
    expect((await rawRequest({ port: under.port })).body).toBe('fine')
    expect(under.errors).toEqual([])
    await until(() => under.fleet.signs.every((sign) => sign !== undefined))
    expect(under.fleet.signs.filter((sign) => sign?.kind === 'broken' || sign?.kind === 'timed_out')).toEqual(
      [],
    )
    expect(under.fleet.given.every(({ signs }) => signs.length === 1)).toBe(true)
    await until(() => open === 0)
  })

  it('by runners: every request has one end, and the gateway goes on', async () => {
    const answers = fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            ...['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 503 Ill\r\n', 'HTTP/1.1 101 Up\r\n', 'HTTP/1.1 100 Go\r\n'],
            ...['HTTP/1.0 304 Same\r\n', 'HTTP/1.1 204 No\r\n', 'HTTP/1.1 999 X\r\n', 'HTTP/1.1 20 X\r\n'],
            ...['Upgrade: echo\r\nConnection: upgrade\r\n', 'Set-Cookie: a\x01b\r\n', 'Trailer: x\r\n'],
            ...BITS.slice(10),
          ),
        },
        { weight: 1, arbitrary: bytes },
      ),
      { minLength: 1, maxLength: 8 },
    )
    let next: { readonly answer: string; readonly how: string } = { answer: '', how: 'end' }
    const port = await rawRunner(tidied, (socket) => {
      const { answer, how } = next
      socket.once('data', () => {
        socket.write(answer, 'latin1')
        if (how === 'reset') setImmediate(() => socket.resetAndDestroy())
        else socket.end()
      })
    })
    const under = await gatewayInFrontOf(tidied, [], { requestTimeoutMs: 60_000 })
    await fc.assert(
      fc.asyncProperty(answers, leaving, fc.boolean(), async (bits, how, isUpgrade) => {
        next = { answer: bits.join(''), how }
        const name = String(under.fleet.given.length)
        under.fleet.add(name, port)
        const client = connect(under.port, '127.0.0.1')
        client.on('error', () => undefined).resume()
        const offer = isUpgrade ? 'Connection: upgrade\r\nUpgrade: echo\r\n' : ''
        client.write(`GET / HTTP/1.1\r\nHost: x\r\n${offer}\r\n`)
        await until(() => under.fleet.given.at(-1)?.signs.length === 1, { everyMs: 1 })
        client.destroy()
        under.fleet.remove(name)
      }),
      { numRuns: RUNS },
    )
    expect(under.fleet.given.every(({ signs }) => signs.length === 1)).toBe(true)
    expect(under.errors).toEqual([])
    expect((await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })).status).toBe(204)
  })
})
