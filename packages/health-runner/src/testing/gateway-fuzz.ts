import { connect } from 'node:net'
import fc from 'fast-check'
import { rawRequest, until } from 'health-testkit'
import { expect } from 'vitest'
import { gatewayInFrontOf, httpRunner, rawRunner, type Tidy } from './gateway-under-test.ts'

const LINES = [
  ...['GET / HTTP/1.1', 'POST /x HTTP/1.1', 'HEAD / HTTP/1.0', 'OPTIONS * HTTP/1.1', 'CONNECT x:1 HTTP/1.1'],
  ...[
    'TRACE / HTTP/1.1',
    'GET http://x/y HTTP/1.1',
    'PRI * HTTP/2.0',
    'GET /\xff HTTP/1.1',
    'PATCH HTTP/1.1',
  ],
]
const STATUS_LINES = [
  ...['HTTP/1.1 200 OK', 'HTTP/1.1 503 Ill', 'HTTP/1.1 101 Up', 'HTTP/1.1 100 Go', 'HTTP/1.0 304 Same'],
  ...['HTTP/1.1 204 No', 'HTTP/1.1 999 X', 'HTTP/1.1 20 X', 'HTTP/1.1 103 Early', 'ICY 200 OK'],
]
const HEADERS = [
  ...['Content-Length: 5', 'Content-Length: 0', 'Content-Length: 99999', 'Transfer-Encoding: chunked'],
  ...['Transfer-Encoding: gzip', 'Expect: 100-continue', 'Expect: x', 'Connection: Upgrade', 'Upgrade: echo'],
  ...[
    'Upgrade: h2c',
    'Connection: close',
    'Connection: host',
    'Host: y',
    'X: a\x01b',
    ': x',
    'X : y',
    'Trailer: x',
  ],
]
const BODIES = [
  '',
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '0\r\n\r\n',
  'ffffffffff\r\n',
  'zz\r\n',
  '\0\0\0',
  '\x16\x03\x01',
]

/** A message that is whole, or nearly: a few bytes of it may be lost, or others put in. */
const messages = (lines: readonly string[], usual: string) =>
  fc
    .record({
      line: fc.oneof({ weight: 3, arbitrary: fc.constant(lines[0] ?? '') }, fc.constantFrom(...lines)),
      headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }),
      body: fc.constantFrom(...BODIES),
      at: fc.nat(120),
      lost: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(40)),
      put: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.string({ unit: 'binary', maxLength: 10 })),
    })
    .map(({ line, headers, body, at, lost, put }) => {
      const text = [line, usual, ...headers, '', body].join('\r\n')
      return text.slice(0, at) + put + text.slice(at + lost)
    })
const pieces = fc.array(messages(LINES, 'Host: x'), { minLength: 1, maxLength: 4 })
const answers = messages(STATUS_LINES, 'X-Runner: 1')
const leaving = fc.constantFrom('end', 'reset', 'stay')

interface Runs {
  readonly numRuns: number
  readonly seed?: number
}

/** Clients send valid and nearly valid requests: the gateway continues, and no runner counts as unhealthy. */
export async function fuzzByClients(tidied: Tidy, runs: Runs): Promise<void> {
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
        client.write(piece, 'latin1')
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (how === 'end') client.end()
      else if (how === 'reset') client.resetAndDestroy()
      else setTimeout(() => client.destroy(), 20)
    }),
    runs,
  )
  expect((await rawRequest({ port: under.port })).body).toBe('fine')
  expect(under.errors).toEqual([])
  await until(() => under.fleet.signs.every((outcome) => outcome !== undefined))
  expect(under.fleet.signs.filter((outcome) => outcome?.kind === 'answered').length).toBeGreaterThan(10)
  expect(
    under.fleet.signs.filter((outcome) => outcome?.kind === 'broken' || outcome?.kind === 'timed_out'),
  ).toEqual([])
  expect(under.fleet.given.every(({ signs }) => signs.length === 1)).toBe(true)
  await until(() => open === 0)
}

/** Few random answers may leave one of the kinds out. */
const OF_EACH_KIND: [answer: string, how: string, isUpgrade: boolean][] = [
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'end', false],
  ['', 'end', false],
  ['HTTP/1.1 20 X\r\n\r\n', 'end', false],
  ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello', 'end', false],
]

/** Runners send what is an answer, or nearly: every request has one end, and the gateway goes on. */
export async function fuzzByRunners(tidied: Tidy, runs: Runs): Promise<void> {
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
    fc.asyncProperty(answers, leaving, fc.boolean(), async (answer, how, isUpgrade) => {
      next = { answer, how }
      const { length } = under.fleet.given
      const name = String(length)
      under.fleet.add(name, port)
      const client = connect(under.port, '127.0.0.1')
      client.on('error', () => undefined).resume()
      const offer = isUpgrade ? 'Connection: upgrade\r\nUpgrade: echo\r\n' : ''
      client.write(`GET / HTTP/1.1\r\nHost: x\r\n${offer}\r\n`)
      await until(() => under.fleet.given[length]?.signs.length === 1, { everyMs: 1 })
      client.destroy()
      under.fleet.remove(name)
    }),
    { ...runs, examples: OF_EACH_KIND },
  )
  expect(under.fleet.given).toHaveLength(runs.numRuns)
  expect(under.fleet.given.every(({ signs }) => signs.length === 1)).toBe(true)
  const kinds = new Set(
    under.fleet.signs.map((outcome) => (outcome?.kind === 'broken' ? outcome.type : outcome?.kind)),
  )
  // what was sent was good and bad in every way
  for (const kind of [
    'answered',
    'runner_disconnected',
    'runner_server_error',
    'runner_incomplete_response',
  ]) {
    expect(kinds).toContain(kind)
  }
  expect(under.errors).toEqual([])
  expect((await rawRequest({ port: under.port, method: 'OPTIONS', path: '*' })).status).toBe(204)
}
