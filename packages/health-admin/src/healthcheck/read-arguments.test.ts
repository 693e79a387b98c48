import { describe, expect, test } from 'vitest'
import { type Command, readArguments } from './read-arguments.ts'

const asked = (args: readonly string[], env = {}) => {
  const command = readArguments(args, env)
  if (command.kind !== 'ask') throw new Error(JSON.stringify(command))
  const { target, timeoutMs } = command
  return { ...target, timeoutMs }
}
const both = ['127.0.0.1', '::1']

describe('what is asked', () => {
  const ADMIN = { isTls: false, hosts: both, port: 9090, path: '/liveness', authority: 'localhost:9090' }

  test('without anything it is the liveness of an admin server at its usual port, with 3 s', () => {
    expect(asked([])).toEqual({
      ...ADMIN,
      name: 'localhost',
      shown: 'http://localhost:9090/liveness',
      timeoutMs: 3_000,
    })
  })

  const AT_9101 = { ...ADMIN, port: 9101, authority: 'localhost:9101' }
  const rows: readonly (readonly [string, readonly string[], Record<string, string>, object])[] = [
    ['the port of the environment', [], { BALDUR_ADMIN_PORT: '9101' }, AT_9101],
    ['a port of the command line before it', ['--port', '9101'], { BALDUR_ADMIN_PORT: '9102' }, AT_9101],
    [
      'a port of the command line, garbage in the environment',
      ['--port', '9101'],
      { BALDUR_ADMIN_PORT: 'x' },
      AT_9101,
    ],
    ['a port written with =', ['--port=9101'], {}, AT_9101],
    ['an empty variable as none', [], { BALDUR_ADMIN_PORT: '' }, ADMIN],
    ['a Kubernetes service link as none', [], { BALDUR_ADMIN_PORT: 'tcp://10.0.0.1:9090' }, ADMIN],
    ['the readiness', ['--path', '/readiness'], {}, { ...ADMIN, path: '/readiness' }],
    ['a path that looks like a host', ['--path', '//evil.test/x'], {}, { ...ADMIN, path: '//evil.test/x' }],
    ['a bind that is everywhere', [], { BALDUR_ADMIN_BIND: '0.0.0.0' }, ADMIN],
    ['a bind that is everywhere in both families', [], { BALDUR_ADMIN_BIND: '::' }, ADMIN],
    ['a bind that is everywhere, in full', [], { BALDUR_ADMIN_BIND: '0:0:0:0:0:0:0:0' }, ADMIN],
    ['a bind to localhost', [], { BALDUR_ADMIN_BIND: 'LocalHost' }, ADMIN],
    ['an empty bind as none', [], { BALDUR_ADMIN_BIND: '' }, ADMIN],
    ['a service link in the place of a bind as none', [], { BALDUR_ADMIN_BIND: 'tcp://10.0.0.1:80' }, ADMIN],
    [
      'a bind to a name, whose Host the server would refuse',
      [],
      { BALDUR_ADMIN_BIND: 'App-1.test' },
      {
        ...ADMIN,
        hosts: ['App-1.test'],
        authority: 'localhost:9090',
        shown: 'http://App-1.test:9090/liveness',
      },
    ],
    [
      'a bind to one address',
      [],
      { BALDUR_ADMIN_BIND: '10.0.0.5' },
      { ...ADMIN, hosts: ['10.0.0.5'], authority: '10.0.0.5:9090' },
    ],
    [
      'a bind to one address of IPv6',
      [],
      { BALDUR_ADMIN_BIND: 'fd00::5' },
      { ...ADMIN, hosts: ['fd00::5'], authority: '[fd00::5]:9090' },
    ],
    ['a longer time', ['--timeout', '10'], {}, { timeoutMs: 10_000 }],
    ['a part of a second', ['--timeout=0.25'], {}, { timeoutMs: 250 }],
    [
      'a URL',
      ['http://localhost:3000/health/ready?nocache=true'],
      { BALDUR_ADMIN_PORT: 'garbage' },
      { hosts: both, port: 3000, path: '/health/ready?nocache=true', authority: 'localhost:3000' },
    ],
    ['a URL without a path', ['http://localhost'], {}, { port: 80, path: '/', authority: 'localhost' }],
    ['a URL of TLS', ['HTTPS://LOCALHOST/x'], {}, { isTls: true, hosts: both, port: 443, name: 'localhost' }],
    ['a URL with the port 0, which nobody answers at', ['http://localhost:0/'], {}, { port: 0 }],
    ['an address as it is given', ['http://127.0.0.1:1/'], {}, { hosts: ['127.0.0.1'], name: '127.0.0.1' }],
    ['an address of IPv6', ['http://[::1]:1/'], {}, { hosts: ['::1'], authority: '[::1]:1', name: '::1' }],
    ['a name as it is given', ['http://app.test/'], {}, { hosts: ['app.test'], authority: 'app.test' }],
    ['a name that only begins like one', ['http://localhost.test/'], {}, { hosts: ['localhost.test'] }],
    ['the root’s name', ['http://localhost.:1/'], {}, { hosts: both, name: 'localhost' }],
    ['a user', ['http://joe:p%40ss@app.test/'], {}, { auth: 'joe:p@ss', authority: 'app.test' }],
    ['an address with a timeout behind it', ['http://[::1]/', '--timeout', '1'], {}, { timeoutMs: 1_000 }],
  ]
  test.each(rows)('takes %s', (_what, args, env, expected) => {
    expect(asked(args, env)).toMatchObject(expected)
  })
  test('is shown without user and query', () => {
    expect(asked(['http://joe:hunter2@app.test:81/a/b?key=s3cret#x']).shown).toBe('http://app.test:81/a/b')
    expect(asked(['--path', '/a?key=s3cret']).shown).toBe('http://localhost:9090/a')
  })
})

describe('help', () => {
  test.each([[['--help']], [['-h']], [['--port', 'x', '--help']]])('is for who asks %j', (args) => {
    expect(readArguments(args, {})).toEqual({ kind: 'help' })
  })
})

describe('what is refused', () => {
  const PORT = 'expected a port from 1 to 65535'
  const URL = 'expected an http or https URL, such as http://localhost:3000/health/ready'
  const TIMEOUT = '--timeout: expected 0.1 to 300 seconds'
  const PATH = '--path: expected a path such as /readiness, percent-encoded'
  const rows: readonly (readonly [readonly string[], string])[] = [
    ...['http', '0', '00000', '65536', '-1', '1e3', '0x50', ' 80', '99999', '80.5'].map(
      (port) => [[`--port=${port}`], `--port: ${PORT}`] as const,
    ),
    ...['0', '0.09', '301', 'x', '-1', '1s', '1e2', 'Infinity', 'NaN'].map(
      (text) => [[`--timeout=${text}`], TIMEOUT] as const,
    ),
    ...['readiness', 'http://x/', '/a b', '/a\r\nX: y', '/a#b', '/ä'].map(
      (path) => [['--path', path], PATH] as const,
    ),
    ...[
      'localhost:3000',
      'ftp://x/',
      'unix:/x',
      'http:/x',
      'http://',
      'http://[::1',
      'http://x:99999/',
      'http://a b/',
      'http://%@x/',
      'app',
    ].map((url) => [[url], URL] as const),
    [['http://x/', 'http://y/'], 'expected one URL'],
    [[''], 'the URL is empty'],
    [['--port', '1', 'http://x/'], 'give a URL, or --port and --path, not both'],
    [['http://x/', '--path', '/'], 'give a URL, or --port and --path, not both'],
    [['--port'], '--port: expected a value'],
    [['--port', '--path'], '--port: expected a value'],
    [['--port='], '--port: expected a value'],
    [['--timeout', '1', '--timeout', '2'], '--timeout: given twice'],
    [['--key=s3cret'], 'unknown option "--key"; try --help'],
    [['--constructor', 'x'], 'unknown option "--constructor"; try --help'],
    [['--no-such-option'], 'unknown option "--no-such-option"; try --help'],
    // what stands in them may be a secret
    ...[
      '-p',
      '-port',
      '-uadmin:hunter2',
      '-hunter2',
      '--',
      '-',
      '---',
      '--=hunter2',
      '--user:hunter2',
      '--hunter2',
      '--user hunter',
      `--${'x'.repeat(21)}`,
    ].map((option) => [[option, 'http://x/'], 'an unknown option; try --help'] as const),
  ]
  test.each(rows)('%j', (args, why) => {
    expect(readArguments(args, {})).toEqual({ kind: 'refused', why })
  })

  test.each(['http', '0x50', '99999', 'http://x', ' 80', 's3cret'])(
    'BALDUR_ADMIN_PORT=%s, which it does not repeat',
    (port) => {
      const refused: Command = { kind: 'refused', why: `BALDUR_ADMIN_PORT: ${PORT}` }
      expect(readArguments([], { BALDUR_ADMIN_PORT: port })).toEqual(refused)
    },
  )
  test.each(['tcp:/x', 'a b', 's3cret!', '-a', 'a.', 'http://localhost', '[::1]'])(
    'BALDUR_ADMIN_BIND=%s, which it does not repeat',
    (bind) => {
      const why = 'BALDUR_ADMIN_BIND: expected an address or a name, without a port'
      expect(readArguments([], { BALDUR_ADMIN_BIND: bind })).toEqual({ kind: 'refused', why })
      expect(readArguments(['http://x/'], { BALDUR_ADMIN_BIND: bind }).kind).toBe('ask')
    },
  )
  test('BALDUR_ADMIN_PORT=0, since the port that it picks is not told', () => {
    expect(readArguments([], { BALDUR_ADMIN_PORT: '0' })).toMatchObject({
      why: 'BALDUR_ADMIN_PORT: 0 picks a port that nobody else knows; give --port',
    })
  })
})
