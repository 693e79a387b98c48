import { createHealth, HealthConfigError } from '@baldur/health-core'
import { secretFault } from '@baldur/health-core/internal'
import { createDrain } from '@baldur/health-drain'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AdminOptions } from '../options.ts'
import { KEY_PATTERN } from '../rules/key-pattern.ts'
import { type AdminSettings, readAdminSettings } from './read-settings.ts'

const nothing = (): void => undefined
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const health = createHealth({ env: {}, watchdog: false })
const KEY = 'a-long-enough-key'
const PLANLESS = { stats: nothing, explain: nothing, signal: new AbortController().signal }

const read = (options: object = {}, env: Record<string, string> = {}): AdminSettings =>
  readAdminSettings({ health, logger, env, ...options } as AdminOptions, () => ({
    name: 'orders',
    version: '4.2.0',
  }))

function refusal(options: object = {}, env: Record<string, string> = {}): string {
  try {
    read(options, env)
  } catch (error) {
    expect(error).toBeInstanceOf(HealthConfigError)
    return (error as Error).message
  }
  throw new Error('it was not refused')
}

test('the defaults are those of the design', () => {
  expect(read()).toMatchObject({
    isEnabled: true,
    host: '127.0.0.1',
    port: 9090,
    keys: { operator: undefined, viewer: undefined },
    allowedHosts: new Set(),
    duringDrain: 'stop',
    version: '4.2.0',
  })
})

test('variables are taken where there is no option, and options win', () => {
  const env = {
    BALDUR_ADMIN_BIND: '::',
    BALDUR_ADMIN_PORT: '9101',
    BALDUR_ADMIN_KEY: KEY,
    BALDUR_ADMIN_READONLY_KEY: `${KEY}-2`,
    BALDUR_ADMIN_ALLOWED_HOSTS: 'Admin.example.com, pod-7 ,',
  }
  expect(read({}, env)).toMatchObject({
    host: '::',
    port: 9101,
    keys: { operator: KEY, viewer: `${KEY}-2` },
    allowedHosts: new Set(['admin.example.com', 'pod-7']),
  })
  const options = { host: 'localhost', port: 0, operatorKey: 'another-key', viewerKey: 'yet-another' }
  expect(read({ ...options, allowedHosts: ['x.example'], version: '1' }, env)).toMatchObject({
    host: 'localhost',
    port: 0,
    keys: { operator: 'another-key', viewer: 'yet-another' },
    allowedHosts: new Set(['x.example']),
    version: '1',
  })
  expect(read({}, { BALDUR_ADMIN_ENABLED: 'false' }).isEnabled).toBe(false)
})

describe('a variable that nobody knows', () => {
  afterEach(() => vi.unstubAllEnvs())
  const warned = (options: object): readonly string[] => {
    const lines: string[] = []
    const warn = (line: string): void => void lines.push(line)
    readAdminSettings({ health, logger: { ...logger, warn }, ...options } as AdminOptions)
    return lines
  }

  test('of an environment of its own is warned of', () => {
    expect(warned({ env: { BALDUR_ADMIN_PROT: '1' } })).toEqual([
      'BALDUR_ADMIN_PROT is not a known variable; did you mean BALDUR_ADMIN_PORT?',
    ])
  })

  test('of the process was told of by the health, and is not told again', () => {
    vi.stubEnv('BALDUR_ADMIN_PROT', '1')
    expect(warned({})).toEqual([])
  })
})

describe('what is refused', () => {
  test.each([
    ['an unknown option', { viewrKey: KEY }, /viewrKey: .*did you mean viewerKey/],
    ['no health', { health: undefined }, /health: expected what createHealth returned/],
    ['a middleware', { health: Object.assign(nothing, { health }) }, /give its \.health/],
    ['something else as a drain', { drain: health }, /drain: expected what createDrain returned/],
    ['a port that is none', { port: 70_000 }, /port: expected a port from 0 to 65535/],
    ['a port as text', { port: '9090' }, /port: .*got "9090" \(string\)/],
    [
      'an empty host, which is every interface to Node',
      { host: '' },
      /host: expected an address to listen on/,
    ],
    ['another spelling of an address', { host: '127.1', operatorKey: KEY }, /host: expected an address/],
    ['a number as a host', { host: '0', operatorKey: KEY }, /host: expected an address/],
    ['null as a host', { host: null }, /host: .*got null/],
    ['a drain without its plan', { drain: PLANLESS }, /drain: /],
    ['a prefix that is none', { prefix: 'api' }, /prefix: /],
    ['a host with a port', { host: '127.0.0.1:9090' }, /host: expected an address/],
    ['a URL as a host', { host: 'http://localhost' }, /host: expected an address/],
    ['a host that is none', { host: 7 }, /host: .*got 7 \(number\)/],
    ['another way to drain', { duringDrain: 'wait' }, /duringDrain: expected 'stop' or 'serve', got "wait"/],
    ['a registry that is none', { registry: {} }, /registry: expected a Registry of prom-client/],
    ['a version that is none', { version: 7 }, /version: expected a string/],
    [
      'hosts that are no list',
      { allowedHosts: 'a.example' },
      /allowedHosts: expected an array of host names/,
    ],
    ['hosts with a port', { allowedHosts: ['a.example:80'] }, /allowedHosts: .*without scheme and port/],
    ['every host', { allowedHosts: ['*'] }, /allowedHosts: /],
    ['a logger that is none', { logger: {} }, /logger: expected an object with the functions debug/],
    ['a clock that is none', { clock: {} }, /clock: expected an object with the functions now/],
    ['an environment that is none', { env: 'x' }, /env: expected an object of strings/],
  ] as const)('%s', (_what, options, why) => expect(refusal(options)).toMatch(why))

  test('options that are none', () => {
    expect(() => readAdminSettings(undefined as never)).toThrow(/options: expected an object with a health/)
  })

  test('an address of more than this machine, without an operator key', () => {
    expect(refusal({ host: '0.0.0.0' })).toMatch(
      /host: expected a loopback address where there is no operatorKey/,
    )
    expect(refusal({ host: 'admin.internal' })).toMatch(/host: /)
    expect(refusal({}, { BALDUR_ADMIN_BIND: '10.0.0.7' })).toMatch(/BALDUR_ADMIN_BIND: /)
    for (const host of ['127.0.0.2', '::1', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])
      expect(read({ host }).host).toBe(host)
    expect(read({ host: '0.0.0.0', operatorKey: KEY }).host).toBe('0.0.0.0')
  })

  test('keys that are too short, alike, alone, or cannot be sent; none is ever shown', () => {
    const told = [
      refusal({ operatorKey: 'tiger-1' }),
      refusal({ operatorKey: KEY, viewerKey: KEY }),
      refusal({ viewerKey: KEY }),
      refusal({ operatorKey: `${KEY}\n` }),
      refusal({ operatorKey: `schl\u00fcssel-${KEY}` }),
      refusal({ operatorKey: 12_345_678 }),
      refusal({ operatorKey: null }),
      refusal({ viewerKey: null, operatorKey: KEY }),
      refusal({ operatorKey: KEY }, { BALDUR_ADMIN_KEY: 'another-key', BALDUR_ADMIN_READONLY_KEY: 'short' }),
      refusal({ viewerKey: KEY }, { BALDUR_ADMIN_KEY: KEY }),
      refusal({}, { BALDUR_ADMIN_KEY: `${KEY}\n` }),
    ]
    expect(told.map((text) => text.split('\n')[1]?.trim())).toEqual([
      'operatorKey: expected at least 8 visible ASCII characters, without white space at either end, got 7 of them',
      'viewerKey: expected another key than operatorKey, got the same one',
      'viewerKey: expected BALDUR_ADMIN_KEY beside it, got a viewer key alone',
      'operatorKey: expected at least 8 visible ASCII characters, without white space at either end, got white space at an end (a line feed?)',
      'operatorKey: expected at least 8 visible ASCII characters, without white space at either end, got other characters',
      'operatorKey: expected a string, got a value of type number',
      'operatorKey: expected a string, got null',
      'viewerKey: expected a string, got null',
      'BALDUR_ADMIN_READONLY_KEY: expected at least 8 visible ASCII characters, without white space at either end, got 5 of them',
      'viewerKey: expected another key than BALDUR_ADMIN_KEY, got the same one',
      'BALDUR_ADMIN_KEY: expected at least 8 visible ASCII characters, without white space at either end, got white space at an end (a line feed?)',
    ])
    expect(told.join()).not.toMatch(/tiger-1|a-long-enough|schl|12345678/)
  })

  test('a viewer key alone, of variables too, once', () => {
    const told = refusal({}, { BALDUR_ADMIN_READONLY_KEY: KEY })
    expect(told).toBe(
      'a setting is wrong:\n  BALDUR_ADMIN_READONLY_KEY: expected BALDUR_ADMIN_KEY beside it, got a viewer key alone',
    )
    // the operator's is there, and wrong: that is all there is to say
    expect(refusal({}, { BALDUR_ADMIN_READONLY_KEY: KEY, BALDUR_ADMIN_KEY: 'short' })).not.toContain('alone')
    expect(refusal({}, { BALDUR_ADMIN_READONLY_KEY: KEY, BALDUR_ADMIN_KEY: KEY }).split('\n')).toHaveLength(2)
  })

  test('everything that is wrong is in one error, also while the server is disabled', () => {
    const told = refusal(
      { port: -1, duringDrain: 'x', hots: 1 },
      { BALDUR_ADMIN_ENABLED: 'false', BALDUR_ADMIN_KEY: 'x' },
    )
    for (const name of ['port', 'duringDrain', 'hots', 'BALDUR_ADMIN_KEY'])
      expect(told).toContain(`${name}: `)
  })
})

test('a key is made of the same characters where it is set and where it is typed in', () => {
  const text = fc.string({ unit: 'binary', minLength: 8 })
  fc.assert(
    fc.property(fc.oneof(text, fc.stringMatching(/^[ -~]{8,20}$/)), (key) => {
      const isRefused = secretFault({ minLength: 8, isHeader: true }, key) !== undefined
      expect(isRefused).toBe(!KEY_PATTERN.test(key))
    }),
  )
})

test('one key may be an option and the other a variable', () => {
  const keys = { operator: KEY, viewer: `${KEY}-2` }
  expect(read({ operatorKey: KEY }, { BALDUR_ADMIN_READONLY_KEY: `${KEY}-2` }).keys).toEqual(keys)
  expect(read({ viewerKey: `${KEY}-2` }, { BALDUR_ADMIN_KEY: KEY }).keys).toEqual(keys)
})

test('a drain and a health are taken as they are, and the caller’s object stays as it was', () => {
  const drain = createDrain({ env: {} })
  const options = Object.freeze({ health, drain, logger, env: {} })
  expect(readAdminSettings(options)).toMatchObject({ drain, health })
})
