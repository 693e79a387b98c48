import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createPlain, type Socket } from 'node:net'
import { freePort } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { healthcheck, listening, PROGRAM, says } from './healthcheck-program.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const BODY = '{"status":"alive","secret":"hunter2"}'
const hold = (): void => {}
const SILENT = 'gave no answer in 0.5 s'

/** Asks it at its address. */
const ask = (port: number, timeout = '5') =>
  healthcheck([`http://127.0.0.1:${port}/live?key=hunter2`, '--timeout', timeout])
const line = (port: number, words: string) => [
  `baldur-healthcheck: http://127.0.0.1:${port}/live: 127.0.0.1 ${words}`,
]

describe('exits with 0', () => {
  const LONG = 'x'.repeat(1_000_000)
  test.each([
    ['a length', `${OK}Content-Length: ${BODY.length}\r\n\r\n${BODY}`],
    ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
    ['neither, up to the end of the connection', `${OK}\r\n${BODY}`],
    ['no body', `${OK}Content-Length: 0\r\n\r\n`],
    ['a million bytes', `${OK}Content-Length: ${LONG.length}\r\n\r\n${LONG}`],
    ['another reason phrase', 'HTTP/1.1 200 Fine\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nyes'],
    ['hints before it', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 0\r\n\r\n`],
  ])('on 200 with %s, and says nothing', async (_what, text) => {
    expect(await ask(await listening(says(text)))).toMatchObject({ code: 0, stdout: [], stderr: [] })
  })

  test('as soon as the answer is whole, although the server keeps the connection', async () => {
    const port = await listening(says(`${OK}Content-Length: 2\r\n\r\nok`, hold))
    const { code, ms } = await healthcheck([`http://127.0.0.1:${port}/`, '--timeout', '30'])
    expect([code, ms < 10_000]).toEqual([0, true])
  })
})

describe('exits with 1 and says why in one line', () => {
  test.each(
    [100, 199, 201, 204, 206, 299, 301, 302, 304, 307, 400, 401, 404, 429, 500, 502, 503, 504, 599].map(
      (status) => [status],
    ),
  )('on %i', async (status) => {
    const head = `HTTP/1.1 ${status} X\r\nLocation: http://127.0.0.1:1/hunter2\r\nX-Secret: hunter2\r\nContent-Length: 0\r\n\r\n`
    const port = await listening(says(head))
    const { code, stderr } = await ask(port)
    const interim = status < 200 ? 'broke the connection off' : `answered ${status}`
    expect([code, stderr]).toEqual([1, line(port, interim)])
  })

  const flood = (piece: string) => (socket: Socket) => {
    const more = (): void => {
      if (socket.writable) socket.write(piece, more)
    }
    more()
  }
  const KIB = 'x'.repeat(1_024)
  test.each([
    ['an answer in another protocol', says('SSH-2.0-OpenSSH_9.2\r\n', hold), 'did not answer in HTTP'],
    [
      'an upgrade',
      says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', hold),
      'gave no answer',
    ],
    ['two lengths', says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`), 'did not answer in HTTP'],
    ['an end before the head', says(''), 'broke the connection off'],
    ['an end in the head', says('HTTP/1.1 200 OK\r\nConte'), 'broke the connection off'],
    ['a reset', says('', (socket) => socket.resetAndDestroy()), 'broke the connection off'],
    ['an end in the body', says(`${OK}Content-Length: 9\r\n\r\nab`), 'broke the connection off'],
    [
      'a reset in the body',
      says(`${OK}Content-Length: 9\r\n\r\nab`, (socket) => setTimeout(() => socket.resetAndDestroy(), 50)),
      'broke the connection off',
    ],
    [
      'an end between chunks',
      says(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`),
      'broke the connection off',
    ],
    [
      'garbage between chunks',
      says(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n`, hold),
      'did not answer in HTTP',
    ],
    ['a header without end', says(OK, flood(`X-A: ${KIB}\r\n`)), 'answered with too long a header'],
    ['one endless header', says(`${OK}X-A: `, flood(KIB)), 'answered with too long a header'],
    ['a body without end', says(`${OK}\r\n`, flood(KIB)), 'answered with more than 1 MiB'],
    [
      'chunks without end',
      says(`${OK}Transfer-Encoding: chunked\r\n\r\n`, flood(`400\r\n${KIB}\r\n`)),
      'answered with more than 1 MiB',
    ],
    ['hints without end', says('', flood('HTTP/1.1 103 Early Hints\r\n\r\n')), SILENT],
    ['silence', createPlain(), SILENT],
    ['a head that does not end', says(`${OK}X-A: 1\r\n`, hold), SILENT],
    ['a body that does not end', says(`${OK}Content-Length: 9\r\n\r\nab`, hold), SILENT],
  ])('on %s', async (_what, server, words) => {
    const port = await listening(server)
    const { code, stdout, stderr, ms } = await ask(port, words === SILENT ? '0.5' : '5')
    expect([code, stdout, stderr]).toEqual([1, [], line(port, words)])
    expect(ms).toBeLessThan(5_000)
  })

  test('on a body that drips past the time, in which each drop is in time', async () => {
    const port = await listening(
      says(`${OK}Content-Length: 1000\r\n\r\n`, (socket) => {
        const drops = setInterval(() => socket.write('.'), 100)
        socket.on('close', () => clearInterval(drops))
      }),
    )
    const { code, stderr, ms } = await ask(port, '0.5')
    expect([code, stderr]).toEqual([1, line(port, SILENT)])
    expect(ms).toBeGreaterThan(500)
  })

  test('where nobody listens', async () => {
    const port = await freePort()
    expect(await ask(port)).toMatchObject({ code: 1, stderr: line(port, 'refused the connection') })
  })

  test.each([[['--port', 'x']], [['--nonsense']], [['ftp://x/']], [['http://x', 'http://y']]])(
    'on arguments that it cannot read: %j',
    async (args) => {
      const { code, stderr } = await healthcheck(args)
      expect([code, stderr.length]).toEqual([1, 1])
    },
  )

  test('on a port of the environment that is none', async () => {
    expect(await healthcheck([], { BALDUR_ADMIN_PORT: 'hunter2' })).toMatchObject({
      code: 1,
      stderr: ['baldur-healthcheck: BALDUR_ADMIN_PORT: expected a port from 1 to 65535'],
    })
  })
})

describe('localhost is both families', () => {
  const good = () => says(`${OK}Content-Length: 0\r\n\r\n`)
  const ill = () => says('HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n')
  const silent = () => createPlain()
  const both = (port: number) => healthcheck(['--port', String(port), '--timeout', '1.5'])

  test.each([
    ['127.0.0.1 alone', '127.0.0.1'],
    ['::1 alone', '::1'],
  ])('a server on %s is found', async (_what, host) => {
    expect(await both(await listening(good(), host))).toMatchObject({ code: 0, stderr: [] })
  })

  test.each([
    ['silent', '127.0.0.1', silent],
    ['silent', '::1', silent],
    ['ill', '127.0.0.1', ill],
    ['ill', '::1', ill],
  ])('a %s one on %s hides no good one on the other', async (_what, host, other) => {
    const port = await listening(other(), host)
    await listening(good(), host === '::1' ? '127.0.0.1' : '::1', port)
    const { code, stderr, ms } = await both(port)
    expect([code, stderr]).toEqual([0, []])
    expect(ms).toBeLessThan(1_450)
  })

  test('and where neither is good both are named', async () => {
    const port = await listening(ill())
    const name = `baldur-healthcheck: http://localhost:${port}/liveness`
    expect(await both(port)).toMatchObject({
      code: 1,
      stderr: [`${name}: 127.0.0.1 answered 503, ::1 refused the connection`],
    })
    await listening(silent(), '::1', port)
    expect(await both(port)).toMatchObject({
      code: 1,
      stderr: [`${name}: 127.0.0.1 answered 503, ::1 gave no answer in 1.5 s`],
    })
  })

  test('a server on both is asked once', async () => {
    let asked = 0
    const port = await listening(
      createServer((_request, response) => response.end(String(++asked))),
      '::',
    )
    expect((await both(port)).code).toBe(0)
    expect(asked).toBe(1)
  })
})

describe('the question', () => {
  const questionOf = async (
    args: (port: number) => readonly string[],
    env: (port: number) => Record<string, string> = () => ({}),
  ) => {
    const asked: IncomingMessage[] = []
    const port = await listening(
      createServer((request, response) => {
        asked.push(request)
        response.end()
      }),
    )
    expect((await healthcheck(args(port), env(port))).code).toBe(0)
    expect(asked).toHaveLength(1)
    return { port, question: asked[0] as IncomingMessage }
  }

  test('is a GET of the liveness that names localhost, and ends its connection', async () => {
    const { port, question } = await questionOf((port) => [`--port=${port}`])
    expect([question.method, question.url]).toEqual(['GET', '/liveness'])
    expect(question.rawHeaders).toEqual([
      ...['Host', `localhost:${port}`, 'Connection', 'close', 'Accept', '*/*'],
      ...['User-Agent', 'baldur-healthcheck'],
    ])
  })

  test('takes its port from the environment, its path and host from a URL, user and query too', async () => {
    const fromEnv = await questionOf(
      () => ['--path', '/readiness'],
      (port) => ({ BALDUR_ADMIN_PORT: String(port) }),
    )
    expect(fromEnv.question.url).toBe('/readiness')
    const { question, port } = await questionOf((port) => [
      `http://joe:p%40ss@127.0.0.1:${port}/health/ready?nocache=true#x`,
    ])
    expect([question.url, question.headers.host]).toEqual(['/health/ready?nocache=true', `127.0.0.1:${port}`])
    expect(question.headers.authorization).toBe(`Basic ${Buffer.from('joe:p@ss').toString('base64')}`)
  })

  test('goes past every proxy', async () => {
    let taken = 0
    const proxy = await listening(
      createServer((_request, response) => response.writeHead(500).end(String(++taken))),
    )
    const url = `http://127.0.0.1:${proxy}`
    const env = { http_proxy: url, HTTP_PROXY: url, ALL_PROXY: url, NODE_USE_ENV_PROXY: '1' }
    await questionOf(
      (port) => [`--port=${port}`],
      () => env,
    )
    expect(taken).toBe(0)
  })
})

test('exits with 1 on an option that it does not know, and repeats no secret', async () => {
  const { code, stderr } = await healthcheck(['-uadmin:hunter2', 'http://127.0.0.1:1/'])
  expect([code, stderr]).toEqual([1, ['baldur-healthcheck: an unknown option; try --help']])
})

describe('the process', () => {
  /** With these streams instead of pipes that somebody reads. */
  const start = (stdio: ('ignore' | 'pipe')[], args: readonly string[]) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio })
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.stdin?.destroy()
    return { child, exit: once(child, 'exit') }
  }
  const SILENTLY = ['ignore', 'ignore', 'ignore'] satisfies 'ignore'[]
  /** Signalled once it has asked; the answer, which is good, comes so much later. */
  const signalled = async (signal: NodeJS.Signals, answerMs: number) => {
    const server = createServer((_request, response) => {
      child.kill(signal)
      setTimeout(() => response.end(), answerMs)
    })
    const port = await listening(server)
    const { child, exit } = start(SILENTLY, ['--port', String(port), '--timeout', '30'])
    return exit
  }

  test('ends with 1 also where nobody reads what it says', async () => {
    const port = String(await freePort())
    expect(await start(['pipe', 'pipe', 'pipe'], ['--port', port]).exit).toEqual([1, null])
    expect(await start(SILENTLY, ['--port', port]).exit).toEqual([1, null])
  })

  test.each([
    ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR1', 'SIGUSR2'] as const),
    ...(['SIGVTALRM', 'SIGXCPU', 'SIGIO', 'SIGTRAP', 'SIGSYS'] as const),
  ])('ends with 1 on %s', async (signal) => {
    expect(await signalled(signal, 2_000)).toEqual([1, null])
  })

  test('goes on after SIGPIPE, as Node does: what broke off may be one address of two', async () => {
    expect(await signalled('SIGPIPE', 300)).toEqual([0, null])
  })

  test('is not begun where Node refuses NODE_OPTIONS: the code is Node’s own', async () => {
    const { code } = await healthcheck(['--help'], { NODE_OPTIONS: '--no-such-option' })
    expect(code).toBe(9)
  })

  test.each([
    ['an error', "throw Object.assign(new Error('hunter2'), { code: 'ODD' })"],
    ['a rejection', "Promise.reject(Object.assign(new Error('hunter2'), { code: 'ODD' }))"],
  ])('ends with 1 and one line on %s that nobody catches', async (_what, statement) => {
    const program = encodeURIComponent(`setTimeout(() => { ${statement} }, 2000)`)
    const port = String(await listening(createPlain()))
    expect(
      await healthcheck(['--port', port], { NODE_OPTIONS: `--import=data:text/javascript,${program}` }),
    ).toMatchObject({ code: 1, stderr: ['baldur-healthcheck: it failed with ODD'] })
  })

  test('says no more than Docker keeps', async () => {
    const { code, stderr } = await healthcheck([`http://127.0.0.1:${await freePort()}/${'x'.repeat(5_000)}`])
    expect([code, stderr.length]).toEqual([1, 1])
    expect(stderr[0]?.length).toBeLessThan(1_000)
    expect(stderr[0]).toMatch(/ refused the connection$/)
  })

  test('shows its help on stdout, with 0', async () => {
    const { code, stdout, stderr } = await healthcheck(['--help'])
    expect([code, stderr]).toEqual([0, []])
    expect(stdout.join('\n')).toMatch(/--port[\s\S]*--path[\s\S]*--timeout[\s\S]*URL/)
  })
})
