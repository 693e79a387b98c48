import { createServer as createTlsServer } from 'node:tls'
import { httpCheck } from '@baldur/health-core/http'
import { freePort, selfSigned, until } from 'health-testkit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ByteServer, byteServer, checked, FAST } from './run-checks.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const SECRETS = /joe|hunter2|s3cret|127\.0\.0\.1|localhost|path-of-mine/

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

let certificate: { readonly key: string; readonly cert: string }
beforeAll(async () => {
  certificate = await selfSigned()
})

type Serve = Parameters<typeof byteServer>[0]
async function serve(each: Serve, make?: Parameters<typeof byteServer>[1]): Promise<ByteServer> {
  const server = await byteServer(each, make)
  closers.push(server.close)
  return server
}
/** Answers each request on a connection; `nth` counts them there from 1. */
const answering =
  (answer: (nth: number, head: string) => string | undefined): Serve =>
  (socket) => {
    let nth = 0
    socket.on('data', (data) => {
      nth += 1
      const text = answer(nth, String(data))
      if (text === undefined) socket.destroy()
      else socket.write(text)
    })
  }
const check = (port: number, options: Parameters<typeof httpCheck>[1] = {}) => {
  const made = checked(
    httpCheck(`http://joe:hunter2@127.0.0.1:${port}/path-of-mine?key=s3cret`, { ...FAST, ...options }),
  )
  closers.push(() => made.health.close())
  return made
}

describe('httpCheck against a service that answers', () => {
  test('a hundred runs are one connection, made once, with what the URL says in each head', async () => {
    const heads: string[] = []
    const server = await serve(
      answering((_nth, head) => {
        heads.push(head)
        return OK
      }),
    )
    const { run } = check(server.port)
    for (let i = 0; i < 100; i++) expect(await run()).toBe('usable')
    expect([server.opened, server.open, heads.length]).toEqual([1, 1, 100])
    const [requestLine, ...lines] = (heads[0] ?? '').trim().split('\r\n')
    expect(requestLine).toBe('GET /path-of-mine?key=s3cret HTTP/1.1')
    expect(lines.map((line) => line.toLowerCase()).sort()).toEqual([
      `authorization: basic ${Buffer.from('joe:hunter2').toString('base64')}`.toLowerCase(),
      'connection: keep-alive',
      `host: 127.0.0.1:${server.port}`,
      'user-agent: baldur-health',
      'x-baldur-health-check: 1',
    ])
  })

  test.each<[status: number, wanted: number | number[] | undefined, said: string]>([
    [200, undefined, 'usable'],
    [204, undefined, 'usable'],
    [299, undefined, 'usable'],
    [302, undefined, 'HTTP_302: redirected, which is not followed'],
    [404, undefined, 'HTTP_404: no such path'],
    [418, undefined, 'HTTP_418: request refused'],
    [500, undefined, 'HTTP_500: server failed'],
    [503, undefined, 'HTTP_503: service unavailable'],
    [200, 204, 'HTTP_200: not the status that is wanted'],
    [302, 302, 'usable'],
    [401, [200, 401], 'usable'],
  ])('%i where %j is wanted: %s', async (answered, status, said) => {
    const server = await serve(answering(() => `HTTP/1.1 ${answered} X\r\nContent-Length: 0\r\n\r\n`))
    const { run, lines } = check(server.port, status === undefined ? {} : { status })
    expect(await run()).toBe(said)
    expect(lines.join('\n')).not.toMatch(SECRETS)
    expect(server.open).toBe(1)
  })

  test('a body that the end of its connection ends', async () => {
    const server = await serve((socket) => {
      socket.on('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nwhatever'))
    })
    const { run } = check(server.port)
    for (let i = 0; i < 3; i++) expect(await run()).toBe('usable')
  })

  test('a redirect to itself is one request', async () => {
    let asked = 0
    const server = await serve(
      answering(() => {
        asked += 1
        return 'HTTP/1.1 301 X\r\nLocation: /path-of-mine\r\nContent-Length: 0\r\n\r\n'
      }),
    )
    expect(await check(server.port).run()).toBe('HTTP_301: redirected, which is not followed')
    expect(asked).toBe(1)
  })

  test('HEAD and OPTIONS, and headers of one’s own, but never without the marker', async () => {
    const heads: string[] = []
    const server = await serve(
      answering((_nth, head) => {
        heads.push(head)
        return 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
      }),
    )
    const headers = { Host: 'inside', 'X-Baldur-Health-Check': 'no', Authorization: 'Bearer mine' }
    const { run } = check(server.port, { method: 'HEAD', headers })
    for (let i = 0; i < 3; i++) expect(await run()).toBe('usable')
    expect(heads[0]).toMatch(/^HEAD /)
    expect(heads[0]).toMatch(/\r\nhost: inside\r\n/i)
    expect(heads[0]).toMatch(/\r\nauthorization: Bearer mine\r\n/i)
    expect(heads[0]?.match(/x-baldur-health-check: /gi)).toHaveLength(1)
    expect(heads[0]).toMatch(/\r\nx-baldur-health-check: 1\r\n/i)
    expect(server.opened).toBe(1)
  })
})

describe('httpCheck against a service that stalls', () => {
  test.each([
    ['before its head', ''],
    ['in the middle of its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!'],
    ['after 1xx answers', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'],
  ])('%s: the run ends at its timeout, and its connection is let go', async (_where, bytes) => {
    const server = await serve(answering(() => bytes))
    const { run } = check(server.port)
    for (let i = 0; i < 3; i++) {
      const began = performance.now()
      expect(await run()).toBe('TIMEOUT: no answer in 400 ms')
      expect(performance.now() - began).toBeLessThan(400 + 200)
      await until(() => server.open === 0, { timeoutMs: 500 })
    }
    expect(server.opened).toBe(3)
  })

  test('a hundred polls hold one connection', async () => {
    const server = await serve(answering(() => ''))
    const { health } = check(server.port)
    await Promise.all(Array.from({ length: 100 }, () => health.readiness()))
    expect(server.opened).toBe(1)
  })

  test('a TLS handshake that never ends is bounded by the time for a connection', async () => {
    const server = await serve((socket) => void socket.resume())
    const { run } = checked(httpCheck(`https://127.0.0.1:${server.port}`, FAST))
    expect(await run()).toBe('TIMEOUT: no connection in 400 ms')
    await until(() => server.open === 0, { timeoutMs: 500 })
  })
})

describe('httpCheck against a body without an end', () => {
  test('it reads to its bound, lets the connection go, and judges by the status', async () => {
    let written = 0
    const server = await serve((socket) => {
      const block = Buffer.alloc(16_384, 'x')
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`4000\r\n${block}\r\n`)) written += block.length
      }
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
        pour()
      })
      socket.on('drain', pour)
    })
    const { run } = check(server.port)
    for (let i = 1; i <= 3; i++) {
      expect(await run()).toBe('usable')
      await until(() => server.open === 0)
      expect(server.opened).toBe(i)
    }
    // what the kernel's buffers took beside the bound
    expect(written).toBeLessThan(3 * 16_000_000)
  })

  test('one that trickles is no answer', async () => {
    const server = await serve((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
        const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      })
    })
    expect(await check(server.port).run()).toBe('TIMEOUT: no answer in 400 ms')
  })

  test('a body of a size that is read whole keeps its connection', async () => {
    const body = 'x'.repeat(60_000)
    const server = await serve(answering(() => `HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${body}`))
    const { run } = check(server.port)
    for (let i = 0; i < 5; i++) expect(await run()).toBe('usable')
    expect(server.opened).toBe(1)
  })
})

/** Both ways to listen: bare, and with TLS that the check trusts. */
const WAYS: readonly [
  way: string,
  make: () => Parameters<typeof byteServer>[1],
  checkOf: (port: number) => ReturnType<typeof checked>,
][] = [
  ['http', () => undefined, (port) => check(port)],
  [
    'https',
    () => (listener) => createTlsServer(certificate, listener),
    (port) => {
      const made = checked(
        httpCheck(`https://localhost:${port}/`, { ...FAST, tls: { ca: certificate.cert } }),
      )
      closers.push(() => made.health.close())
      return made
    },
  ],
]

describe.each(WAYS)('a kept connection (%s)', (_way, make, checkOf) => {
  test('that the server closes between two runs is made anew', async () => {
    const server = await serve((socket) => {
      socket.on('data', () => socket.end(OK))
    }, make())
    const { run } = checkOf(server.port)
    for (let i = 1; i <= 5; i++) {
      expect(await run()).toBe('usable')
      await until(() => server.open === 0)
    }
    expect(server.opened).toBe(5)
  })

  test('that breaks when it is used again, before a byte of answer, is made anew within the run', async () => {
    const server = await serve(
      answering((nth) => (nth === 1 ? OK : undefined)),
      make(),
    )
    const { run } = checkOf(server.port)
    for (let i = 1; i <= 5; i++) {
      expect(await run()).toBe('usable')
      expect(server.opened).toBe(i)
    }
    expect(server.open).toBe(1)
  })

  test('that is ended when it is used again reads the same', async () => {
    const server = await serve((socket) => {
      let nth = 0
      socket.on('data', () => {
        nth += 1
        if (nth === 1) socket.write(OK)
        else socket.end()
      })
    }, make())
    const { run } = checkOf(server.port)
    for (let i = 0; i < 3; i++) expect(await run()).toBe('usable')
  })

  test('a service that breaks every connection is not asked for ever: once, or twice where one was kept', async () => {
    let asked = 0
    const server = await serve(
      answering((nth) => {
        asked += 1
        return asked === 1 && nth === 1 ? OK : undefined
      }),
      make(),
    )
    const { run } = checkOf(server.port)
    expect(await run()).toBe('usable')
    expect(await run()).toBe('ECONNRESET: connection reset')
    expect(asked).toBe(3)
    expect(await run()).toBe('ECONNRESET: connection reset')
    expect(asked).toBe(4)
  })

  test('that breaks in the middle of an answer is a failure, and is not asked again', async () => {
    let asked = 0
    const server = await serve((socket) => {
      let nth = 0
      socket.on('data', () => {
        asked += 1
        nth += 1
        if (nth === 1) socket.write(OK)
        else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!')
      })
    }, make())
    const { run } = checkOf(server.port)
    expect(await run()).toBe('usable')
    expect(await run()).toBe('ECONNRESET: connection reset')
    expect(asked).toBe(2)
  })
})

describe('httpCheck against what is no service of HTTP', () => {
  test.each([
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'NOT_HTTP: answer is not HTTP'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'NOT_HTTP: answer is not HTTP'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'ECONNRESET: connection reset',
    ],
  ])('%s', async (_what, bytes, said) => {
    const server = await serve(answering(() => bytes))
    const { run, lines } = check(server.port)
    expect(await run()).toBe(said)
    expect(lines.join('\n')).not.toMatch(SECRETS)
    await until(() => server.open === 0)
  })

  test('a port that nobody listens on', async () => {
    expect(await check(await freePort()).run()).toBe('ECONNREFUSED: connection refused')
  })

  test('a host that is not there', async () => {
    const { run } = checked(httpCheck('http://no-such-host.invalid/', { timeoutMs: 5_000 }))
    expect(await run()).toMatch(/^(ENOTFOUND: host name not found|EAI_AGAIN: name service not available)$/)
  })
})

describe('httpCheck and certificates', () => {
  const tlsServer = () =>
    serve(
      answering(() => OK),
      (listener) => createTlsServer(certificate, listener),
    )

  test('one that nobody trusts reads as that, without a name in it', async () => {
    const server = await tlsServer()
    const { run, lines } = checked(httpCheck(`https://localhost:${server.port}/?key=s3cret`, FAST))
    expect(await run()).toBe('DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate')
    expect(lines.join('\n')).not.toMatch(/s3cret/)
    await until(() => server.open === 0)
  })

  test('one of another host', async () => {
    const server = await tlsServer()
    const tls = { ca: certificate.cert, servername: 'elsewhere.example' }
    const { run } = checked(httpCheck(`https://localhost:${server.port}/`, { ...FAST, tls }))
    expect(await run()).toBe('ERR_TLS_CERT_ALTNAME_INVALID: certificate is for another host')
  })

  test('a pair of one’s own is taken, one that does not belong together is refused', async () => {
    const other = await selfSigned()
    const tls = { ca: [certificate.cert], ...certificate }
    expect(httpCheck('https://localhost/', { tls }).name).toBe('http')
    expect(() => httpCheck('https://localhost/', { tls: { ...certificate, key: other.key } })).toThrow(
      'httpCheck.tls: expected certificates and a key that can be used, got others (not shown)',
    )
  })

  test('a hundred runs on a trusted one are one connection', async () => {
    const server = await tlsServer()
    const tls = { ca: certificate.cert }
    const { run, health } = checked(httpCheck(`https://localhost:${server.port}/`, { ...FAST, tls }))
    closers.push(() => health.close())
    for (let i = 0; i < 100; i++) expect(await run()).toBe('usable')
    expect(server.opened).toBe(1)
  })

  test('a server without TLS', async () => {
    const server = await serve(answering(() => 'HTTP/1.1 400 Bad Request\r\n\r\n'))
    const { run } = checked(httpCheck(`https://127.0.0.1:${server.port}`, FAST))
    expect(await run()).toMatch(/^(TLS_FAILED: TLS handshake failed|EPROTO: protocol error)$/)
  })
})

test('IPv6 by its literal', async () => {
  const server = await byteServer(
    answering(() => OK),
    undefined,
    '::1',
  )
  closers.push(server.close)
  const { run } = checked(httpCheck(`http://[::1]:${server.port}/`, FAST))
  expect(await run()).toBe('usable')
})

test('close lets the kept connection go', async () => {
  const server = await serve(answering(() => OK))
  const { run, health } = check(server.port)
  expect(await run()).toBe('usable')
  await health.close()
  await until(() => server.open === 0)
})
