import { describe, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import { diskCheck } from './disk.ts'
import { eventLoopCheck } from './event-loop.ts'
import { httpCheck } from './http.ts'
import { memoryCheck } from './memory.ts'
import { tcpCheck } from './tcp.ts'
import type { Check } from './vocabulary/check.ts'
import { HealthConfigError } from './vocabulary/config-error.ts'

const URL_OF_MINE = 'http://joe:hunter2@orders.internal/health?key=s3cret'

type Make = (options?: never) => Check
const FACTORIES: readonly [name: string, make: Make, usual: Partial<Check>][] = [
  ['httpCheck', (options) => httpCheck(URL_OF_MINE, options), { name: 'http', peer: true }],
  ['tcpCheck', (options) => tcpCheck('orders.internal', 25, options), { name: 'tcp' }],
  ['diskCheck', (options) => diskCheck('/', options), { name: 'disk' }],
  ['eventLoopCheck', (options) => eventLoopCheck(options), { name: 'event_loop', critical: false }],
  ['memoryCheck', (options) => memoryCheck(options), { name: 'memory', critical: false, fall: 3 }],
]

/** The problems that making something finds, as `path: got`. */
function problemsOf(make: () => unknown): readonly string[] {
  try {
    make()
  } catch (error) {
    if (!(error instanceof HealthConfigError)) throw error
    expect(error.message).not.toMatch(/joe|hunter2|s3cret/)
    return error.problems.map(({ path, got }) => `${path}: ${got}`)
  }
  return []
}

describe.each(FACTORIES)('%s', (factory, make, usual) => {
  test('has its usual name and weight', () => expect(make()).toMatchObject(usual))

  test('carries the policy that it is given, and does not take undefined for one', () => {
    const policy = {
      name: 'mine',
      critical: true,
      fall: 2,
      rise: 4,
      timeoutMs: 300,
      connectTimeoutMs: 400,
      minIntervalMs: 50,
    }
    expect(make(policy as never)).toMatchObject(policy)
    expect(make({ name: undefined, critical: undefined, fall: undefined } as never)).toMatchObject(usual)
  })

  test('does not change what it is given', () => {
    const options = Object.freeze({ fall: 2 })
    expect(make(options as never)).toMatchObject({ fall: 2 })
  })

  test('lists everything that is wrong at once, with the near name of what it does not know', () => {
    const options = {
      name: 'no spaces',
      critical: 'yes',
      fall: 0,
      timeoutMs: '5s',
      minIntervalMs: -1,
      falll: 3,
    }
    expect(problemsOf(() => make(options as never))).toEqual([
      `${factory}.falll: an unknown option (did you mean fall?)`,
      `${factory}.name: "no spaces" (string)`,
      `${factory}.critical: "yes" (string)`,
      `${factory}.fall: 0 (number)`,
      `${factory}.timeoutMs: "5s" (string)`,
      `${factory}.minIntervalMs: -1 (number)`,
    ])
  })

  test.each([[null], [[]], ['x'], [5]])('refuses %j for options', (options) => {
    expect(problemsOf(() => make(options as never))).toHaveLength(1)
  })

  test('stands in a health, and is closed with it', async () => {
    const health = createHealth({ env: {}, checks: [make()] })
    await health.close()
    await health.close()
  })
})

describe('httpCheck', () => {
  test.each<[url: unknown, got: string]>([
    ['orders.internal/health', 'one that is none (not shown)'],
    ['', 'one that is none (not shown)'],
    ['ftp://joe:hunter2@x/', 'one that is none (not shown)'],
    ['http://joe:hunter2@x:port/', 'one that is none (not shown)'],
    ['http://', 'one that is none (not shown)'],
    [undefined, 'undefined'],
    [5, 'number'],
    [{ href: 'http://x' }, 'object'],
  ])('refuses the URL %j, and shows nothing of it', (url, got) => {
    expect(problemsOf(() => httpCheck(url as string))).toEqual([`httpCheck(url): ${got}`])
  })

  test('refuses credentials that are not percent-encoded', () => {
    expect(problemsOf(() => httpCheck('http://joe:hunter2%@x/'))).toEqual([
      'httpCheck(url): others (not shown)',
    ])
  })

  test('takes a URL object', () => expect(httpCheck(new URL(URL_OF_MINE)).name).toBe('http'))

  test('lists what is wrong with all of it, showing no header', () => {
    const options = {
      method: 'DELETE',
      status: [200, 99],
      headers: { 'bad name': 'x', ok: 'hunter2\n', number: 5 },
      tls: { caa: 'x' },
    }
    expect(problemsOf(() => httpCheck('nonsense', options as never))).toEqual([
      'httpCheck.method: "DELETE" (string)',
      'httpCheck.status: an array',
      'httpCheck.headers: others (not shown)',
      'httpCheck.headers: others (not shown)',
      'httpCheck.headers: others (not shown)',
      'httpCheck.tls.caa: an unknown option (did you mean ca?)',
      'httpCheck(url): one that is none (not shown)',
    ])
  })

  test.each([[[]], ['200'], [200.5], [600], [null]])('refuses the status %j', (status) => {
    expect(problemsOf(() => httpCheck(URL_OF_MINE, { status: status as never }))).toHaveLength(1)
  })

  test.each([
    ['a key and a certificate that are none', { key: 'hunter2', cert: 'x' }],
    ['a key of another type', { key: 5 }],
  ])('refuses %s, and shows nothing of it', (_what, tls) => {
    const attempt = (): unknown => httpCheck('https://x', { tls: tls as never, status: 0 })
    expect(problemsOf(attempt)).toEqual(['httpCheck.status: 0 (number)', 'httpCheck.tls: others (not shown)'])
  })

  test('refuses certificates for a URL without TLS, and what is no object', () => {
    expect(problemsOf(() => httpCheck('http://x', { tls: {} }))).toEqual(['httpCheck.tls: one of http'])
    expect(problemsOf(() => httpCheck('https://x', { tls: 'ca' as never }))).toEqual([
      'httpCheck.tls: "ca" (string)',
    ])
    expect(problemsOf(() => httpCheck('https://x', { headers: [] as never }))).toEqual([
      'httpCheck.headers: an array',
    ])
  })
})

describe('tcpCheck', () => {
  test.each<[host: unknown, port: unknown, wrong: string[]]>([
    ['', 25, ['tcpCheck(host)']],
    ['smtp://x', 25, ['tcpCheck(host)']],
    ['[::1]', 25, ['tcpCheck(host)']],
    ['joe:hunter2@x', 25, ['tcpCheck(host)']],
    [undefined, '25', ['tcpCheck(host)', 'tcpCheck(port)']],
    ['x', 0, ['tcpCheck(port)']],
    ['x', 65_536, ['tcpCheck(port)']],
    ['x', 2.5, ['tcpCheck(port)']],
  ])('refuses %j and %j', (host, port, wrong) => {
    const paths = problemsOf(() => tcpCheck(host as string, port as number))
    expect(paths.map((line) => line.replace(/: .*/, ''))).toEqual(wrong)
  })
})

test.each<[what: string, make: () => unknown, wrong: string[]]>([
  ['no path', () => diskCheck(''), ['diskCheck(path): "" (string)']],
  ['a path that no system has', () => diskCheck('a\0b'), ['diskCheck(path): "a b" (string)']],
  [
    'limits of a disk',
    () => diskCheck('/', { minFreePercent: 101, minFreeBytes: -1, writable: 'yes' as never }),
    [
      'diskCheck.minFreePercent: 101 (number)',
      'diskCheck.minFreeBytes: -1 (number)',
      'diskCheck.writable: "yes" (string)',
    ],
  ],
  [
    'limits of the event loop',
    () => eventLoopCheck({ maxDelayMs: 0, maxUtilizationPercent: 0.95 }),
    ['eventLoopCheck.maxDelayMs: 0 (number)', 'eventLoopCheck.maxUtilizationPercent: 0.95 (number)'],
  ],
  ['limits of memory', () => memoryCheck({ maxPercent: 0.9 }), ['memoryCheck.maxPercent: 0.9 (number)']],
])('refuses %s', (_what, make, wrong) => expect(problemsOf(make)).toEqual(wrong))

test('a check in the process that is given as peer must say so in true or false', () => {
  const check = { name: 'x', peer: 'yes', run: () => true }
  expect(problemsOf(() => createHealth({ env: {}, checks: [check as never] }))).toEqual([
    'checks.x.peer: "yes" (string)',
  ])
})
