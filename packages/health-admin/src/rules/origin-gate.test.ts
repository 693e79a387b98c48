import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostName, isLoopback } from './host-name.ts'
import { refusedBy } from './origin-gate.ts'

const ALLOWED = new Set(['admin.example.com'])
const gate = (host: string, ...origins: string[]) =>
  refusedBy(
    ['Accept', '*/*', 'HOST', host, ...origins.flatMap((origin) => ['Origin', origin])],
    ALLOWED,
    false,
  )

test.each([
  '127.0.0.1',
  '127.0.0.1:9090',
  '10.1.2.3:80',
  '[::1]',
  '[::1]:9090',
  '[2001:db8::7]:1',
  'localhost',
  'LocalHost:9090',
  'admin.example.com',
  'ADMIN.example.com:443',
])('%s may be asked', (host) => expect(gate(host)).toBeUndefined())

test.each([
  '',
  'evil.example',
  'localhost.evil.example',
  'evil.localhost.example',
  'localhost.',
  'sub.admin.example.com',
  'admin.example.com.evil.example',
  // addresses in other spellings, which resolvers take and browsers rewrite
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '127.0.0.1:9090:1',
  '127.0.0.1:x',
  '127.0.0.1:123456',
  '::1',
  '[::1',
  '[127.0.0.1]',
  '[localhost]',
  'user@127.0.0.1',
  '127.0.0.1, evil.example',
  ' 127.0.0.1',
  '127.0.0.1/',
  '127.0.0.1#@evil.example',
  'admin.example.com\\@evil.example',
])('%j may not be asked', (host) => expect(gate(host)).toBe('host'))

test.each([true, false])(
  'a request with two Host headers is refused, whether its path is open (%s)',
  (isOpen) => {
    expect(refusedBy(['Host', '127.0.0.1', 'host', '127.0.0.1'], ALLOWED, isOpen)).toBe('host')
    expect(refusedBy(['Host', '127.0.0.1', 'hOST', 'evil.example'], ALLOWED, isOpen)).toBe('host')
  },
)

test('a request without a Host gets the open paths alone, and nothing where it has an Origin', () => {
  expect(refusedBy(['Accept', '*/*'], ALLOWED, true)).toBeUndefined()
  expect(refusedBy(['Accept', '*/*'], ALLOWED, false)).toBe('host')
  expect(refusedBy(['Origin', 'http://127.0.0.1'], ALLOWED, true)).toBe('host')
  expect(refusedBy(['Host', ''], ALLOWED, true)).toBe('host')
})

test.each([
  ['localhost:9090', 'http://localhost:9090'],
  ['LOCALHOST:9090', 'HTTP://localhost:9090'],
  ['[::1]:9090', 'http://[::1]:9090'],
  ['localhost', 'http://localhost:80'],
  ['localhost:80', 'http://localhost'],
  ['admin.example.com', 'https://admin.example.com'],
  ['admin.example.com:443', 'https://admin.example.com'],
])('a page of %s may ask under its own origin, %s', (host, origin) =>
  expect(gate(host, origin)).toBeUndefined(),
)

test.each([
  ['localhost:9090', 'null'],
  ['localhost:9090', ''],
  ['localhost:9090', 'http://localhost'],
  ['localhost:9090', 'http://localhost:3000'],
  ['localhost:9090', 'http://127.0.0.1:9090'],
  ['localhost:9090', 'http://evil.example'],
  ['localhost:9090', 'http://localhost:9090.evil.example'],
  ['localhost:9090', 'http://localhost:9090/'],
  ['localhost:9090', 'http://localhost:9090@evil.example'],
  ['localhost:9090', 'file://localhost:9090'],
  ['localhost:9090', 'chrome-extension://localhost:9090'],
  ['admin.example.com', 'http://admin.example.com:443'],
])('a page that asks %s may not come from %j', (host, origin) => expect(gate(host, origin)).toBe('origin'))

test('one good origin does not make a second one good', () => {
  expect(gate('localhost', 'http://localhost', 'http://localhost')).toBe('origin')
  expect(gate('localhost', 'http://localhost', 'http://evil.example')).toBe('origin')
})

test('the host is looked at first', () => {
  expect(gate('evil.example', 'http://evil.example')).toBe('host')
})

test('a name that is no address, not localhost and not allowed never gets in, whatever is written around it', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z0-9]{1,8}){1,3}$/)
  const around = fc.constantFrom('', ':', ':1', ':65535')
  fc.assert(
    fc.property(name, around, (host, port) => {
      expect(gate(host + port)).toBe('host')
    }),
  )
})

test('no string makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (host, origin) => {
      gate(host, origin)
      hostName(host)
      isLoopback(host)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['127.0.0.1', true],
  ['127.200.3.4', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::FFFF:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['12.0.0.1', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['127.0.0.1.evil.example', false],
  ['localhost', false],
  ['', false],
])('%j is an address of this machine alone: %s', (address, is) => expect(isLoopback(address)).toBe(is))
